// What somebody could type, or put into a link for somebody else, so that a file made of it does more than hold it. Whatever is
// carried out leaves the word PWNED, on the screen or as a file.

/** Sentences that a file could take for a declaration, code, markup, a formula, a control sign or the end of something. */
export const kHostileSentences = [
  // Declarations of a Python file's encoding (PEP 263), and what would be code in these encodings.
  "coding:latin-1 café",
  "coding=latin-1 naïve façade — “quoted”",
  "coding:unicode_escape\\x0aimport\\x20os;os.system(\\x22echo\\x20PWNED\\x22)\\x0a\\x23",
  "coding:raw_unicode_escape \\u000aimport os;os.system('echo PWNED')\\u000a\\u0023",
  "coding:utf_7 +AAo-import os;os.system(+ACI-echo PWNED+ACI-)+AAo-+ACM-",
  "coding:undefined -*- coding: cp037 -*- vim: set fileencoding=utf-16 : # type: ignore #!/bin/sh",
  // The ends of texts, comments and lines.
  '"]; import os; os.system("echo PWNED"); x = ["',
  "'''; import os; os.system('echo PWNED') \"\"\" # \\",
  "\n\nimport os\nos.system('echo PWNED')\n#",
  "form\ffeed\vtab\tnext\u0085line\u2028separator\u2029paragraph\rreturn import os",
  "ends with a backslash \\",
  '", "format": "other", "state": {"text": ["PWNED"]}, "x": "\\u0022',
  // Signs that XML, terminals or readers of lines do not take.
  "nul\0 bell\x07 escape\x1b[2J\x1b]0;PWNED\x07 csi\x9b2J delete\x7f",
  "none\ufffe \uffff \ufdd0 \u{1fffe} last\u{10ffff} tag\u{e0041} private\ue000 \ufeffmark",
  "\u202egnp.exe\u202c \u2066isolated\u2069 a\u0301\u0323\u0336 zero\u200dwidth 👩‍👩‍👧 🇩🇪 العربية",
  // Markup.
  "<script>alert('PWNED')</script> <img src=x onerror=alert(1)> &lt;b&gt; &amp; &#60; ]]> <!-- x --> </svg> </title>",
  "<![CDATA[x]]> <!DOCTYPE svg [<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e; <?xml version='1.1'?> <?php PWNED ?>",
  "[link](javascript:alert(1)) ![picture](http://host.example/x.png) <https://host.example> www.host.example a@host.example",
  "**bold** _it_ __x__ ~~no~~ `code` ``` ~~~ | cell | {#id .c} :::note ::: > quote --- === \\ \\\\ 1. - + * # head",
  "$x$ $$\\input{/etc/passwd}$$ \\(y\\) \\[z\\] \\href{javascript:alert(1)}{x} \\write18{PWNED} \\end{aligned} } { % \\",
  "{{7*7}} ${7*7} #{7*7} <%= 7*7 %> {% include 'PWNED' %} {%raw%} {{< include PWNED >}} {x: alert(1)} {`PWNED`}",
  "{é} {%} {# x #} [[wiki]] @cite :smile: (label)= {eval}`PWNED` `r system('PWNED')`",
  // Formulas of spreadsheets, shells, file names, schemes.
  '=1+1 =HYPERLINK("http://host.example";"x") =cmd|\'/C PWNED\'!A0 +1 -1 @SUM(1) ＝1 == ++ -- @@',
  '\'; touch PWNED; $(touch PWNED) `touch PWNED` | touch PWNED & > PWNED && "$(touch PWNED)" %PATH% !!',
  "../../etc/passwd C:\\windows\\PWNED CON NUL PWNED.py numpy.py .htaccess ~/.bashrc -rf --out=PWNED",
  "javascript:alert(1) data:text/html,PWNED vbscript:x file:///etc/passwd",
  "%s %d %n {0} {x!r} \\N{BULLET} \\u0041 \\x41 %41 %0a %00 + a+b",
  "=",
  "#",
];

const base = (text) => `text=${encodeURIComponent(text)}`;

/** A link for each sentence, and links that are hostile themselves: as they are sent, not as the program writes them. */
export const kHostileLinks = [
  ...kHostileSentences.map(base),
  ...kHostileSentences
    .filter((text) => /coding|import|[{$<]/.test(text))
    .map((text) => `text=The+cat+sat&compare=${encodeURIComponent(base(text))}`),
  "text=The+cat+sat&compare=text%3Dcoding:unicode_escape\\x0aimport\\x20os;os.system(\\x22echo\\x20PWNED\\x22)\\x0a\\x23",
  "text=coding:latin-1 café",
  "text=%ff%fe%00%c0%80%ed%a0%80&compare=text%3D%ff%00%0a%0c&lesson=%0acoding:x&hide=%22%0a&lock=coding:x&theme=coding:x",
  "text=coding:rot13+a&text=&text=%0a%22%5d&sentence=3&compare=compare%3Dtext%253Dcoding:utf_7",
];

const dressings = [
  "tokens=chars&embed=ngrams",
  "embed=torch&init=torch.randn",
  "embed=typed&x=1,-2.5,1e-7;3e1,nan,-inf,;;0x10,import&edit=w_query[0,1]=-0,1e-40;3,2&edit=x[0,0]=inf",
  "text=a+second+sentence&text=&dropout=0.25&bias=1",
];

/** The sentences again, each with settings besides, so that they reach other lines of a file. */
export const kDressedLinks = kHostileSentences.map((text, n) => `${base(text)}&${dressings[n % dressings.length]}`);
