// In each test file's process: when no test has begun or ended for 25 s, says where the effects stand, and again every 30 s.
import { afterAll, afterEach, beforeEach, expect } from "vitest"
import { AGAIN_MILLIS, looks, STUCK_MILLIS, type Stuck, WORD } from "./settings.ts"
import { watchFibers, whereFibersWait } from "./where.ts"

const tell = async () => {
  looks.count++
  const fibers = await whereFibersWait().finally(() => looks.count++)
  const report: Stuck = { file: expect.getState().testPath ?? "", fibers }
  console.error(WORD + JSON.stringify(report))
}

let timer: NodeJS.Timeout | undefined
const arm = (millis = STUCK_MILLIS) => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    tell().catch((cause) => console.error("cannot say where it hangs:", cause))
    arm(AGAIN_MILLIS)
  }, millis)
  timer.unref()
}

await watchFibers()
arm()
beforeEach(() => arm())
afterEach(() => arm())
afterAll(() => clearTimeout(timer))
