// The program of the thread in which long texts are worked on (decisions P8).
import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { readable } from "./markup.ts"
import { sanitized } from "./sanitize.ts"

/** A nice value, on Linux of this thread alone: where processors are few, whoever answers requests comes first. */
const BEHIND = 10
if (process.platform === "linux" && parentPort !== null) setPriority(BEHIND)

const works = { sanitized, readable }

export interface Job {
  readonly id: number
  readonly work: keyof typeof works
  readonly text: string
}
export type Done = { readonly id: number; readonly text: string } | { readonly id: number; readonly failure: string }

parentPort?.on("message", ({ id, text, work }: Job) => {
  const done = (answer: Done) => parentPort?.postMessage(answer)
  try {
    done({ id, text: works[work](text) })
  } catch (error) {
    done({ id, failure: String(error) })
  }
})
