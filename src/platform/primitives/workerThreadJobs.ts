// Runs the loop of a worker thread for a program of `workerThread.ts` (decisions P8).
import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"

export interface ThreadJob<In> {
  readonly id: number
  readonly input: In
}
export type ThreadDone<Out> =
  | { readonly id: number; readonly output: Out }
  | { readonly id: number; readonly failure: string }

/** Nice value, on Linux of this thread alone: where processors are few, threads that answer requests come first. */
const BEHIND = 10

export const serve = <In, Out>(work: (input: In) => Out | Promise<Out>): void => {
  if (process.platform === "linux") setPriority(BEHIND)
  const postAnswer = (answer: ThreadDone<Out>) => parentPort!.postMessage(answer)
  parentPort!.on("message", async ({ id, input }: ThreadJob<In>) => {
    try {
      postAnswer({ id, output: await work(input) })
    } catch (error) {
      postAnswer({ id, failure: String(error) })
    }
  })
}
