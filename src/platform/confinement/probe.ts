// Tests a confinement by trying to get out of it (decisions P9): a small program started in it reports what it could do and what the kernel
// says of it.
import { spawn } from "node:child_process"
import { readlinkSync } from "node:fs"
import { createServer } from "node:net"

const NAMESPACES = ["user", "net", "pid", "ipc", "uts", "mnt"] as const
const TRY_MILLIS = 15_000

export interface Layers {
  readonly ownUser: boolean
  readonly noNetwork: boolean
  readonly noProcesses: boolean
  readonly namespaces: ReadonlyArray<(typeof NAMESPACES)[number]>
  /** True if nothing of the service, its data or the system can be read. */
  readonly minimalRoot: boolean
  readonly noPrivileges: boolean
  readonly limits: boolean
}

export const nothingHolds: Layers = {
  ownUser: false,
  noNetwork: false,
  noProcesses: false,
  namespaces: [],
  minimalRoot: false,
  noPrivileges: false,
  limits: false
}

/** Program that reports as JSON on standard output; its arguments are inserted into its text as JSON. */
const program = (asked: object) => `
const asked = ${JSON.stringify(asked)}
const fs = require("node:fs")
const or = (f, other) => { try { return f() } catch { return other } }
const status = or(() => fs.readFileSync("/proc/self/status", "utf8"), "")
const field = (name) => new RegExp("^" + name + ":\\\\s*(\\\\S+)", "m").exec(status)?.[1]
const report = process.report
report.excludeNetwork = true
const told = {
  uid: process.getuid?.(),
  spaces: Object.fromEntries(asked.namespaces.map((n) => [n, or(() => fs.readlinkSync("/proc/self/ns/" + n), "")])),
  readable: asked.paths.filter((p) => or(() => (fs.accessSync(p, fs.constants.R_OK), true), false)),
  parent: or(() => process.kill(asked.pid, 0), false),
  privileges: [field("NoNewPrivs"), field("CapPrm"), field("CapEff"), field("CapInh"), field("CapAmb")],
  limits: report.getReport().userLimits
}
const end = (network) => process.stdout.write(JSON.stringify({ ...told, network }), () => process.exit(0))
const socket = require("node:net").connect(asked.port, "127.0.0.1")
socket.on("connect", () => end(true))
socket.on("error", () => end(false))
`

interface Told {
  readonly uid: number | undefined
  readonly spaces: Readonly<Record<string, string>>
  readonly readable: ReadonlyArray<string>
  readonly parent: boolean
  readonly privileges: ReadonlyArray<string | undefined>
  readonly limits: Readonly<Record<string, { readonly hard: string | number }>> | undefined
  readonly network: boolean
}

const linkOf = (name: string): string => {
  try {
    return readlinkSync(`/proc/self/ns/${name}`)
  } catch {
    return ""
  }
}

const layersOf = (told: Told): Layers => {
  const namespaces = NAMESPACES.filter((name) => told.spaces[name] !== "" && told.spaces[name] !== linkOf(name))
  const nested = namespaces.includes("user")
  const [noNew, ...capabilities] = told.privileges
  const hard = (name: string) => Number(told.limits?.[name]?.hard)
  return {
    // Does not count in a user namespace without root outside: there every user inside is the service's own.
    ownUser: !nested && told.uid !== undefined && told.uid !== process.getuid?.(),
    noNetwork: !told.network && namespaces.includes("net"),
    noProcesses: !told.parent && namespaces.includes("pid"),
    namespaces,
    minimalRoot: told.readable.length === 0 && namespaces.includes("mnt"),
    noPrivileges: noNew === "1" && capabilities.every((set) => set !== undefined && /^0+$/.test(set)),
    limits: hard("max_user_processes") > 0 && hard("file_size_blocks") === 0 && hard("core_file_size_blocks") === 0
  }
}

/** Server on a loopback address that any program on this machine can reach. */
const listening = () =>
  new Promise<{ readonly port: number; readonly close: () => void }>((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve({ port: typeof address === "object" && address !== null ? address.port : 0, close: () => server.close() })
    })
  })

const output = (command: ReadonlyArray<string>, env: Readonly<Record<string, string>>, input: string) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(command[0]!, command.slice(1), { env: { ...env }, cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill("SIGKILL"), TRY_MILLIS)
    let stdoutText = ""
    child.stdout.on("data", (bytes) => {
      stdoutText += bytes
    })
    child.once("error", reject)
    child.once("close", (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(stdoutText)
      else reject(new Error(`ended with ${code}`))
    })
    for (const pipe of [child.stdin, child.stdout]) pipe.on("error", () => {})
    child.stdin.end(input)
  })

/** Layers that hold for `command`, which runs Node on its standard input; `undefined` if it does not run at all. `paths` are secrets. */
export const probe = async (
  command: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  paths: ReadonlyArray<string>
): Promise<Layers | undefined> => {
  const server = await listening()
  try {
    const probeOptions = { paths, pid: process.pid, port: server.port, namespaces: NAMESPACES }
    return layersOf(JSON.parse(await output(command, env, program(probeOptions))) as Told)
  } catch {
    return undefined
  } finally {
    server.close()
  }
}
