// What Node is given (bin/parts/service.js): code that was compiled for events and requests outlives a time without any.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { NODE_FLAGS } from "../../bin/parts/service.js"
import { ENDS_MILLIS } from "../support/eventually.ts"

/** Collections of garbage; by itself V8 keeps shapes without objects for two. */
const COLLECTIONS = 12

/** Compiles a function for objects of a shape, lets all of them go, and says whether it is compiled after each collection. */
const PROGRAM = `
  const make = (id) => JSON.parse('{"id":' + id + ',"ofAnEvent":1}')
  const next = (event) => event.id + 1
  const run = () => { for (let id = 0; id < 500; id++) next(make(id)) };
  %PrepareFunctionForOptimization(next);
  run();
  %OptimizeFunctionOnNextCall(next);
  run();
  const compiled = () => (%GetOptimizationStatus(next) & 0b110000) !== 0
  const found = [compiled()]
  for (let i = 0; i < ${COLLECTIONS}; i++) {
    gc()
    await new Promise((resolve) => setImmediate(resolve))
    found.push(compiled())
  }
  console.log(JSON.stringify(found))`

const compiledWith = async (flags: ReadonlyArray<string>): Promise<ReadonlyArray<boolean>> => {
  const args = [...flags, "--allow-natives-syntax", "--expose-gc", "--input-type=module", "--eval", PROGRAM]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: ENDS_MILLIS })
  return JSON.parse(stdout)
}

describe("code compiled for objects of which there are none at the moment", () => {
  it("is kept, however often garbage is collected", async () => {
    assert.deepStrictEqual(await compiledWith(NODE_FLAGS), Array(COLLECTIONS + 1).fill(true))
  })

  it("is thrown away by V8 itself", async () => {
    const without = NODE_FLAGS.filter((flag) => !flag.startsWith("--retain-maps"))
    assert.deepStrictEqual([...new Set(await compiledWith(without))], [true, false])
  })
})
