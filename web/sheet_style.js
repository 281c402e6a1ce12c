// How the sheet of answers looks: a style of its own that comes with it, because the page's styles are fetched before its first picture.
// Colours are those of styles.css.
const kStyle = `
.sheet {
  width: min(960px, calc(100vw - 24px));
  max-width: none;
  max-height: calc(100dvh - 24px);
  padding: 0 20px 20px;
  border: 1px solid var(--edge);
  border-radius: 10px;
  background: var(--panel);
  color: var(--ink);
  font: inherit;
  overflow-y: auto;
}
.sheet::backdrop {
  background: rgb(0 0 0 / 45%);
}
.sheet :is(h2, h3, p) {
  margin: 10px 0;
}
.sheet h2 {
  font-size: 18px;
}
.sheet h3 {
  font-size: 15px;
}
.sheet-head {
  position: sticky;
  top: 0;
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding: 6px 0;
  background: var(--panel);
}
.sheet-table {
  overflow-x: auto;
  margin: 14px 0;
}
.sheet table {
  width: 100%;
  border-collapse: collapse;
  font-size: 14px;
}
.sheet caption {
  padding: 4px 0;
  font-weight: 600;
  text-align: start;
}
.sheet :is(th, td) {
  padding: 5px 10px 5px 0;
  border-bottom: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
  font-weight: 400;
}
.sheet thead th {
  color: var(--soft-ink);
}
.sheet td {
  min-width: 80px;
  overflow-wrap: anywhere;
}
.sheet tbody th {
  min-width: 110px;
}
.sheet-hand-in {
  margin-top: 18px;
  padding-top: 6px;
  border-top: 1px solid var(--line);
}
.sheet-field input,
.sheet select {
  min-height: 36px;
  max-width: 100%;
  padding: 4px 10px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
}
.sheet-field input {
  width: min(360px, 100%);
}
.sheet-code {
  display: block;
  width: 100%;
  padding: 8px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--paper);
  color: var(--ink);
  font: 13px/1.5 "Attention Mono", monospace;
  resize: vertical;
}
.sheet .sheet-proof,
.sheet .sheet-note {
  color: var(--soft-ink);
  font-size: 13px;
}
.sheet-name {
  display: none;
}
.sheet-buttons {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px;
}
.sheet :is(input, select, textarea, button, .sheet-table):focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
@media print {
  .playground:has(> .sheet[open]) > :not(.sheet) {
    display: none !important;
  }
  .sheet::backdrop {
    display: none;
  }
  .sheet[open] {
    position: absolute;
    inset: 0 auto auto 0;
    width: 100%;
    max-height: none;
    padding: 0;
    border: 0;
    border-radius: 0;
    overflow: visible;
  }
  .sheet :is(.sheet-choice, .sheet-kept, .sheet-hand-in, .sheet-acts, .sheet-status, .sheet-head button) {
    display: none;
  }
  .sheet-name {
    display: block;
  }
  .sheet tr {
    break-inside: avoid;
  }
}
`;

/** Gives it to the document once. @param {Document} document */
export function adopt_style(document) {
  if (document.adoptedStyleSheets.some((style) => style === adopted)) return;
  adopted = new CSSStyleSheet();
  adopted.replaceSync(kStyle);
  document.adoptedStyleSheets.push(adopted);
}

/** @type {CSSStyleSheet | null} */
let adopted = null;
