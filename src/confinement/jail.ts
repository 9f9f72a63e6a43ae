// The root of a confined process, made with what util-linux has (decisions P9): a small tmpfs that holds what is named, read only,
// and a /proc of its own. The shell stays outside as the first process of the namespace: all others end with it.

/**
 * Arguments: a folder to build on, MiB of scratch space, `chroot` or `pivot`, the paths, `--`, the command. `chroot` forbids
 * further user namespaces; a browser's own sandbox needs them, and tools inside to take the old root away.
 */
export const jail = `
set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
root=$1 scratch=$2 change=$3
shift 3
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev jail "$root"
mkdir "$root/proc"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
  mount -o bind,ro,nosuid,nodev "$1" "$root$1"
  shift
done
shift
if [ "$scratch" -gt 0 ]; then
  mkdir -p "$root/tmp" "$root/dev/shm"
  mount -t tmpfs -o "size=\${scratch}m,mode=1777,nosuid,nodev" jail "$root/tmp"
  mount -t tmpfs -o "size=\${scratch}m,mode=1777,nosuid,nodev,noexec" jail "$root/dev/shm"
  for name in null zero full random urandom; do
    : > "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  mount -t proc -o nosuid,nodev,noexec jail "$root/proc"
else
  mount -t proc -o nosuid,nodev,noexec,subset=pid jail "$root/proc" 2>/dev/null ||
    mount -t proc -o nosuid,nodev,noexec jail "$root/proc"
fi
if [ "$change" = pivot ]; then
  mkdir "$root/old"
  mount -o remount,bind,ro,nosuid,nodev "$root"
  cd "$root"
  pivot_root . old
  cd /
  umount -l /old
  "$@"
else
  mount -o remount,bind,ro,nosuid,nodev "$root"
  chroot "$root" "$@"
fi
exit $?
`
