// A program of a thread whose work is done, and which breaks afterwards.
import { serve } from "../../../../src/ground/primitives/apartThread.ts"

serve((input: string) => {
  setImmediate(() => {
    throw new Error("a stray error")
  })
  return input
})
