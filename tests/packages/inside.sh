# Runs in the clean root (clean_root.sh): installs the package, uses it as a person would, removes it. What the test looks at
# goes into /results. There is no network: apt finds the files that clean_root.sh has fetched.
apt="apt-get -y -q --no-install-recommends -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io"
$apt install shared-mime-info desktop-file-utils hicolor-icon-theme >/results/desktop.log 2>&1
find /usr /etc /opt -xdev | sort >/tmp/before
$apt install /package.deb >/results/install.log 2>&1
find /usr /etc /opt -xdev | sort >/tmp/between
comm -13 /tmp/before /tmp/between >/results/added

attention-playground --version >/results/version
attention-playground --screenshot /results/picture.png --size 1000x700 'text=A dog barks, r%C3%A9ellement&heads=4' \
    >/results/picture.log 2>&1
attn trace 'text=A dog barks&heads=2' --stage weights --format json >/results/weights.json
attn export session 'text=A dog barks' >/tmp/lesson.attention
attention-playground --screenshot /results/session.png --size 1000x700 /tmp/lesson.attention >>/results/picture.log 2>&1

cp /usr/share/applications/mimeinfo.cache /results/mimeinfo.cache
cp /usr/share/mime/globs2 /usr/share/mime/magic /results
zcat /usr/share/man/man1/attn.1.gz >/results/attn.1
dpkg -L attention-playground >/results/files
dpkg-query -W -f '${Depends}' attention-playground >/results/depends

$apt purge attention-playground >/results/purge.log 2>&1
while read -r file; do
    if [ -e "$file" ] && ! dpkg -S "$file" >/dev/null 2>&1; then echo "$file"; fi
done </results/files >/results/left
