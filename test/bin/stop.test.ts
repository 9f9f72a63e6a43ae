// docs/operations.md, "What `npm start` brings up": a part that is said to be gone holds nothing any more, so that another may begin at its port.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { freePort, identify, isAlive, isTaken, stop } from "../../bin/parts/os.js"
import { BOUND } from "../support/eventually.ts"
import { waitedInVain } from "../support/waitedInVain.ts"

/** Threads that end one after another behind the first, which may be a zombie by then. */
const part = (port: number) => `
  const { Worker } = require("node:worker_threads")
  const busy = "const kept = []; setInterval(() => { for (let i = 0; i < 2e5; i++) kept[i] = { i } }, 1)"
  for (let i = 0; i < 40; i++) new Worker(busy, { eval: true })
  require("node:net").createServer().listen(${port}, "127.0.0.1", () => setTimeout(() => console.log("up"), 600))`

const stateOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  return stat[stat.lastIndexOf(")") + 2]
}

/** In this turn of the event loop. */
const waitAside = (is: () => boolean) => {
  const startMillis = performance.now()
  while (!is()) {
    const waited = performance.now() - startMillis
    if (waited > BOUND) throw waitedInVain("the kernel", waited, "")
  }
}

describe.skipIf(process.platform !== "linux")("a process of many threads that is killed", () => {
  it("is alive until the last of them has let go of its port, its first being a zombie or not", async () => {
    for (let times = 0; times < 5; times++) {
      const port = await freePort()
      const child = spawn(process.execPath, ["-e", part(port)], { stdio: ["ignore", "pipe", "inherit"] })
      const exited = once(child, "exit")
      await once(child.stdout, "data")
      const identity = identify(child.pid!)
      process.kill(identity.pid, "SIGKILL")
      // Node has not been told of its end before this turn is over: the kernel keeps it until then.
      waitAside(() => stateOf(identity.pid) === "Z")
      waitAside(() => !isAlive(identity))
      assert.isFalse(await isTaken(port, "127.0.0.1"), "somebody still listens")
      await exited
      assert.isTrue(await stop(identity, []))
    }
  })
})
