// Delivers answers to a script's calls, one task of its isolate each, and collects rejections in them without a handler (decisions A28):
// the isolate reports a rejection to the code that gave the answer.
import type Ivm from "isolated-vm"
import { MESSAGE_CHARS } from "../protocol.ts"

/** Rejection in the form that `realm/unhandledRejections.ts` takes. */
interface Rejection {
  /** Number of the answer; answers count from 1. */
  readonly at: number
  readonly message: string
  readonly stack: string
}

const REJECTIONS_AT_MOST = 1000

const rejectionOf = (at: number, error: unknown): Rejection =>
  error instanceof Error
    ? {
        at,
        message: `${error.name}: ${error.message}`.slice(0, MESSAGE_CHARS),
        stack: (error.stack ?? "").slice(0, 4 * MESSAGE_CHARS)
      }
    : { at, message: String(error).slice(0, MESSAGE_CHARS), stack: "" }

export const makeAnswers = (isolate: Ivm.Isolate, settle: Ivm.Reference) => {
  const rejections: Array<Rejection> = []
  let answers = 0
  const giveAnswer = async (id: number, ok: boolean, text: string) => {
    if (isolate.isDisposed) return
    const answerNumber = ++answers
    try {
      await settle.apply(undefined, [id, ok, text])
    } catch (error) {
      if (!isolate.isDisposed && rejections.length < REJECTIONS_AT_MOST)
        rejections.push(rejectionOf(answerNumber, error))
    }
  }
  return { answer: (id: number, ok: boolean, text: string) => void giveAnswer(id, ok, text), rejections }
}
