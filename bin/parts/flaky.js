// Repeats the suite next to busy loops, to find tests that a busy machine breaks.
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { runSuite } from "./suite.js"

export const BUSY_LOOPS_PER_CORE = 4

/** Computes until it is ended, or its parent has ended. */
const LOOP = `const parent = process.ppid; setInterval(() => {
  if (process.ppid !== parent) process.exit()
  for (const end = performance.now() + 200; performance.now() < end; );
}, 0)`

/** Starts the loops. @returns {{ kill: () => void, gone: Promise<unknown> }} gone: once all of them have ended */
const startLoops = () => {
  const count = BUSY_LOOPS_PER_CORE * availableParallelism()
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" }))
  return {
    kill: () => {
      for (const loop of loops) loop.kill("SIGKILL")
    },
    gone: Promise.all(loops.map((loop) => new Promise((resolve) => loop.once("close", resolve))))
  }
}

/**
 * @param {import("./tools.js").Tool} tool @param {number} times @param {ReadonlyArray<string>} files all without any
 * @returns {Promise<ReadonlyArray<string>>} each test that did not pass each time, with how often it failed
 */
export const runsBesideLoops = async (tool, times, files) => {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const loops = startLoops()
  process.once("exit", loops.kill)
  try {
    for (let run = 1; run <= times; run++) {
      console.log(`run ${run} of ${times}`)
      const { failed, failures, passed } = await runSuite(tool, files)
      for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
      if (failed > failures.length) counts.set("a run", (counts.get("a run") ?? 0) + 1)
      console.log(`run ${run} of ${times}: ${passed} passed, ${failed} failed`)
    }
  } finally {
    loops.kill()
    await loops.gone
    process.off("exit", loops.kill)
  }
  return [...counts].map(([failure, count]) => `${failure}: failed in ${count} of ${times} runs`)
}
