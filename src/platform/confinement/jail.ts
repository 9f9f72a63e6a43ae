// Builds the root of a confined process with util-linux (decisions P9): a small tmpfs that holds the named files, read only, and a /proc of
// its own. The shell stays outside as the first process of the namespace: all others end with it.
import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { ConfinementProfile } from "./ConfinementProfile.ts"

/** Scratch folder. Not /tmp, since files to be read may lie below that. */
export const SCRATCH = "/scratch"

/**
 * Script that builds the root. `chroot` forbids further user namespaces, which a browser's own sandbox needs: then a tool that lies inside
 * unmounts the old root (`pivot`). One program makes all mounts, because this is part of the start of every script process.
 */
const script = `
set -ef
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
root=$1 folders=$2 files=$3 table=$4 proc=$5 change=$6
shift 6
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev jail "$root"
cd "$root"
IFS='
'
mkdir -p $folders
for file in $files; do : > "$file"; done
unset IFS
printf '%s' "$table" > mounts
mount --all --fstab mounts
rm mounts
mount -t proc -o "$proc" jail proc 2>/dev/null || mount -t proc -o nosuid,nodev,noexec jail proc
mount -o remount,bind,ro,nosuid,nodev "$root"
if [ "$change" = pivot ]; then
  pivot_root . old
  cd /
  umount -l /old
  "$@"
else
  chroot . "$@"
fi
exit $?
`

const DEVICES = ["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`)

/** Folder to build the new root on; none of the named files lies below it. */
const siteFor = (paths: ReadonlyArray<string>): string =>
  ["/mnt", "/media", "/srv", "/run", "/tmp"].find(
    (folder) => existsSync(folder) && !paths.some((path) => path.startsWith(`${folder}/`))
  ) ?? "/mnt"

const escaped = (path: string) =>
  path.replace(/[\\ \t\n]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`)

/** Arguments of the shell; the command follows. */
export const jail = (profile: ConfinementProfile): ReadonlyArray<string> => {
  const root = siteFor(profile.read)
  const below = (path: string) => `.${path}`
  const scratch = profile.scratchMiB > 0
  const folders = profile.read.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
  const files = [...profile.read.filter((path) => !folders.includes(path)), ...(scratch ? DEVICES : [])]
  const mountLine = (from: string, to: string, type: string, options: string) =>
    `${escaped(from)} ${escaped(`${root}${to}`)} ${type} ${options} 0 0\n`
  const space = `size=${profile.scratchMiB}m,mode=1777,nosuid,nodev`
  const table = [
    ...profile.read.map((path) => mountLine(path, path, "none", "bind,ro,nosuid,nodev")),
    ...(scratch ? DEVICES.map((path) => mountLine(path, path, "none", "bind")) : []),
    ...(scratch
      ? [mountLine("jail", SCRATCH, "tmpfs", space), mountLine("jail", "/dev/shm", "tmpfs", `${space},noexec`)]
      : [])
  ]
  return [
    "-c",
    script,
    "jail",
    root,
    [
      "./proc",
      ...(scratch ? [`.${SCRATCH}`, "./dev/shm"] : []),
      ...(profile.nests ? ["./old"] : []),
      ...folders.map(below),
      ...files.map((path) => below(dirname(path)))
    ].join("\n"),
    files.map(below).join("\n"),
    table.join(""),
    `nosuid,nodev,noexec${scratch ? "" : ",subset=pid"}`,
    profile.nests ? "pivot" : "chroot"
  ]
}
