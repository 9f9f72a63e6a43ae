// Drives `npm start` from tests: a launcher in a data directory of its own, what it says, and the parts it runs.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type Identity, identify, isAlive, readJson } from "../../bin/parts/os.js"
import { plainEnvironment } from "../support/environment.ts"
import { BOUND } from "../support/eventually.ts"
import { waitedInVain } from "../support/waitedInVain.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** Polls until `look` finds something; fails with what was awaited. */
export const until = async <A>(what: string, look: () => Promise<A | undefined> | A | undefined) => {
  const startMillis = performance.now()
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    const waited = performance.now() - startMillis
    if (waited > BOUND) throw waitedInVain(what, waited, "")
    await delay(25)
  }
}

export interface Answer {
  readonly pid: number
  readonly starts: number
}

/** A started launcher. */
export class Started {
  readonly child: ChildProcess
  readonly identity: Identity
  readonly dataDir: string
  readonly port: number
  output = ""

  constructor(dataDir: string, port: number, env: Record<string, string> = {}) {
    this.dataDir = dataDir
    this.port = port
    this.child = spawn(process.execPath, [join(root, "bin/start.js")], {
      env: {
        ...plainEnvironment(),
        DATA_DIR: dataDir,
        PORT: String(port),
        MILLRACE_MAIN: "test/bin/stand-in.ts",
        DEMO: "off",
        ...env
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.identity = identify(this.child.pid ?? 0)
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        this.output += text
      })
    }
  }

  /** Waits for words in what the launcher says. */
  says(text: string) {
    return until(`"${text}" in:\n${this.output}`, () =>
      this.output.includes(text) ? true : this.child.exitCode === null ? undefined : this.#ended(text)
    )
  }

  #ended(text: string): never {
    throw new Error(`The launcher ended (${this.child.exitCode}) without saying "${text}":\n${this.output}`)
  }

  /** Its exit status, once it has ended. */
  exit() {
    return until("the launcher's end", () => this.child.exitCode ?? this.child.signalCode ?? undefined)
  }

  /** The recorded process of a part. */
  part(name: "service" | "temporal" | "postgres"): Identity {
    return readJson(join(this.dataDir, "run", `${name}.json`))
  }

  parts() {
    return { service: this.part("service"), temporal: this.part("temporal"), postgres: this.part("postgres") }
  }

  /** What the service answers now, if it does. */
  async get(path = "/"): Promise<Answer | undefined> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => undefined)
    return response?.ok ? ((await response.json()) as Answer) : undefined
  }

  /** Ends everything without mercy: for the clean-up of a failed test. */
  killAll() {
    for (const identity of [this.identity, ...Object.values(this.parts())]) {
      if (identity !== undefined && isAlive(identity)) process.kill(identity.pid, "SIGKILL")
    }
  }

  /** The log of a part. */
  log(name: "temporal" | "postgres") {
    return readFileSync(join(this.dataDir, "logs", `${name}.log`), "utf8")
  }
}
