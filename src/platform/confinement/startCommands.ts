// Lists the ways to start a confined process, the strongest first (decisions P9). Each is a command line around the program; Confinement.ts
// tries which of them work here.
import { dirname } from "node:path"
import type { ConfinementProfile } from "./ConfinementProfile.ts"
import { jail, SCRATCH } from "./jail.ts"
import { isRoot, which } from "./systemPrograms.ts"

/** Command and arguments before the program's own. */
type Wrap = (profile: ConfinementProfile, user: number | undefined) => ReadonlyArray<string>

export interface StartCommand {
  readonly name: string
  /** True if its file system holds only what the profile names. */
  readonly ownRoot: boolean
  readonly wrap: Wrap
}

const prlimit = which("prlimit")
const setpriv = which("setpriv")
const unshare = which("unshare")
const bwrap = which("bwrap")
const sh = which("sh")

/** Programs that run inside, before the program itself. */
export const insiders = [prlimit, setpriv].filter((path): path is string => path !== undefined)

const both = (name: string, most: number) => `--${name}=${most}:${most}`

const limits = (profile: ConfinementProfile): ReadonlyArray<string> =>
  prlimit === undefined
    ? []
    : [
        prlimit,
        both("nproc", profile.processes),
        both("nofile", profile.files),
        both("fsize", profile.fileBytes),
        both("data", profile.dataBytes),
        both("core", 0)
      ]

const NONE = ["--bounding-set", "-all", "--inh-caps", "-all", "--ambient-caps", "-all"]

/** Gives up every right. `able`: the process has rights to give up. */
const powerless = (user: number | undefined, able: boolean, more: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  setpriv === undefined
    ? []
    : [
        setpriv,
        "--no-new-privs",
        ...(user === undefined ? [] : ["--reuid", `${user}`, "--regid", `${user}`, "--clear-groups"]),
        ...(able ? NONE : []),
        ...more
      ]

/** Ends the process with the service, however that ends. */
const bound = (): ReadonlyArray<string> => (setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL"])

const ancestors = (paths: ReadonlyArray<string>) => {
  const ancestorPaths = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) ancestorPaths.add(folder)
  return [...ancestorPaths].filter((path) => !paths.includes(path)).sort()
}

const bubblewrap: Wrap = (profile, user) => [
  bwrap!,
  ...(isRoot
    ? ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"]
    : ["--unshare-all", "--uid", "65534", "--gid", "65534"]),
  ...(isRoot ? ["SETUID", "SETGID", "SETPCAP"].flatMap((cap) => ["--cap-add", `CAP_${cap}`]) : []),
  "--die-with-parent",
  "--new-session",
  ...ancestors(profile.read).flatMap((path) => ["--perms", "0755", "--dir", path]),
  ...profile.read.flatMap((path) => ["--ro-bind", path, path]),
  "--proc",
  "/proc",
  ...(profile.scratchMiB > 0
    ? ["--dev", "/dev", "--perms", "1777", "--size", `${profile.scratchMiB << 20}`, "--tmpfs", SCRATCH]
    : []),
  "--remount-ro",
  "/",
  "--chdir",
  "/",
  "--",
  ...limits(profile),
  ...(isRoot ? powerless(user, true) : [])
]

const spaces = ["--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
/** Creates the namespaces. Without root, rights over them come with a new user namespace. The binding to the parent follows after that. */
const intoSpaces = (more: ReadonlyArray<string>) => [
  ...(isRoot ? [] : [unshare!, "--user", "--map-root-user"]),
  ...bound(),
  unshare!,
  ...more,
  ...spaces
]

const jailed: Wrap = (profile, user) => [
  ...intoSpaces(["--mount"]),
  sh!,
  ...jail(profile),
  ...limits(profile),
  ...powerless(user, true)
]

const spaced: Wrap = (profile, user) => [...intoSpaces([]), ...limits(profile), ...powerless(user, true)]

const plainWrap: Wrap = (profile, user) => [...limits(profile), ...powerless(user, isRoot, ["--pdeathsig", "KILL"])]

const wayWithTools = (tools: ReadonlyArray<string | undefined>, way: StartCommand): ReadonlyArray<StartCommand> =>
  tools.every((tool) => tool !== undefined) ? [way] : []

/**
 * Ways in order of strength. As root the jail of util-linux comes first: it leaves the process no possibility of further user namespaces,
 * and bubblewrap cannot give it an own user by itself.
 */
export const startCommands = (): ReadonlyArray<StartCommand> => {
  if (process.platform !== "linux") return [{ name: "nothing", ownRoot: false, wrap: () => [] }]
  const ours = wayWithTools([unshare, setpriv, sh, which("mount"), which("chroot")], {
    name: "util-linux",
    ownRoot: true,
    wrap: jailed
  })
  const theirs = wayWithTools([bwrap, ...(isRoot ? [setpriv] : [])], {
    name: "bubblewrap",
    ownRoot: true,
    wrap: bubblewrap
  })
  return [
    ...(isRoot ? [...ours, ...theirs] : [...theirs, ...ours]),
    ...wayWithTools([unshare, setpriv], { name: "namespaces", ownRoot: false, wrap: spaced }),
    ...wayWithTools([isRoot ? setpriv : undefined], { name: "own user", ownRoot: false, wrap: plainWrap }),
    ...wayWithTools([setpriv], {
      name: "no new privileges",
      ownRoot: false,
      wrap: (profile) => plainWrap(profile, undefined)
    }),
    { name: "nothing", ownRoot: false, wrap: () => [] }
  ]
}
