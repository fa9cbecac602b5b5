# SPDX-License-Identifier: GPL-3.0-or-later
# fetch.sh KERNEL: downloads the newest Debian kernel of a line into build/live/kernels/KERNEL, once:
# vmlinuz, release (its version), and modules/ with modules.list in the order in which they load.
# apt checks signatures and digests; it works on lists of its own, and nothing is installed.
. "$(dirname "$0")/lib.sh"

# For each line, the suite to look in and the packages, best first. The cloud flavour boots faster,
# but has zswap only from 7.x on. There, linux-binary has the image and linux-modules the modules.
case $kernel in
6.1)
	suite=bookworm
	packages=('linux-image-6\.1\.[0-9.]+-[0-9]+-amd64')
	;;
6.12)
	suite=trixie
	packages=('linux-image-6\.12\.[0-9]+\+deb13-amd64')
	;;
7)
	suite=trixie-backports
	packages=('linux-binary-7\.3\.[0-9]+\+deb13-cloud-amd64'
		'linux-binary-7\.[0-9.]+\+deb13-cloud-amd64')
	;;
*) fail "no such line of kernels: $kernel" ;;
esac
modules=(virtio_pci virtio_blk ext4 lzo zbud zsmalloc)

[ ! -s "$kernels/$kernel/vmlinuz" ] || exit 0
need apt-get dpkg-deb depmod modprobe xz zstd
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || skip "no $keyring"

mkdir -p "$kernels"
work=$(mktemp -d "$kernels/.$kernel.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$work/kernel/modules"
echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$work/lists";
Dir::State::status "/dev/null";
Dir::Cache "$work/cache";
APT::Sandbox::User "";
APT::Architecture "amd64";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
END
export APT_CONFIG=$work/apt.conf

timeout 120 apt-get -q update || skip "no package index of $suite"
apt-cache pkgnames linux- >"$work/names"
image=
for package in "${packages[@]}"; do
	image=$(grep -xE "$package" "$work/names" | sort -V | tail -n 1 || true)
	[ -z "$image" ] || break
done
[ -n "$image" ] || skip "$suite has no kernel $kernel"
wanted=("$image")
case $image in
linux-binary-*) wanted+=("${image/binary/modules}") ;;
esac
(cd "$work" && timeout 300 apt-get -q download "${wanted[@]}") || skip "no package ${wanted[*]}"

for package in "$work"/*.deb; do
	dpkg-deb -x "$package" "$work/unpacked"
done
release=${image#linux-*-}
tree=$(find "$work/unpacked" -path "*/lib/modules/$release" -type d)
[ -d "$tree" ] || fail "$image has no modules of $release"
cp "$(find "$work/unpacked" -name 'vmlinuz*' -type f)" "$work/kernel/vmlinuz"
echo "$release" >"$work/kernel/release"

# What modprobe would do in the guest, which has none.
[ -e "$work/unpacked/lib" ] || ln -s usr/lib "$work/unpacked/lib"
depmod -b "$work/unpacked" "$release" 2>/dev/null
for module in "${modules[@]}"; do
	modprobe -d "$work/unpacked" -S "$release" --show-depends "$module" || true
done 2>/dev/null | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/files"
while read -r file; do
	name=$(basename "${file%.ko*}").ko
	case $file in
	*.xz) xz -dc "$file" ;;
	*.zst) zstd -qdc "$file" ;;
	*) cat "$file" ;;
	esac >"$work/kernel/modules/$name"
	echo "$name" >>"$work/kernel/modules/modules.list"
done <"$work/files"

rm -rf "${kernels:?}/$kernel"
mv "$work/kernel" "$kernels/$kernel"
echo "kernel $release"
