#!/bin/sh
# Run in a clean chroot by ./bootstrap packages: installs the packages and does what the documents say.
# Usage: try.sh SOURCE_DIR, which has the packages, README.md, data and tests.
set -eu
cd "$1"
export DEBIAN_FRONTEND=noninteractive
say() { echo "try: $*"; }
say "apt install ./*.deb"
apt-get install -y -qq --no-install-recommends ./*.deb >/dev/null
sfgp --version
sfgp register data/demo/reference.ply data/demo/scan.ply -o /tmp/fit.ply --quiet
sfgp evaluate /tmp/fit.ply data/demo/truth.ply --missing data/demo/truth_missing.txt | head -n 1 >/dev/null
say "the program fits"
awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >/tmp/example.py
python3 /tmp/example.py
say "the Python of README.md runs"
apt-get install -y -qq --no-install-recommends gcc g++ make cmake pkg-config man-db zsh fish >/dev/null
mkdir /tmp/use
sh tests/install_use.sh "$PWD" sfgp /tmp/use
say "the C of README.md runs by pkg-config and by CMake, a project of C++ alone as well"
apt-get install -y -qq --no-install-recommends $(dpkg-query -W -f '${Suggests}' libsfgp-dev | tr -d ,) >/dev/null
sh tests/install_static.sh "$PWD" /tmp/use
say "the same with the static library, by pkg-config --static and by CMake"
sh tests/install_help.sh sfgp /usr/share
man -w sfgp
say "the manual page and the completions are right"
apt-get purge -y -qq sfgp 'libsfgp*' python3-sfgp >/dev/null
left=$(find /usr /etc /var/lib -name '*sfgp*' ! -path '/var/lib/dpkg/*' ! -path '/var/lib/apt/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
say "nothing is left after apt purge"
