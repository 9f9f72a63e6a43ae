// Sends calls of a script to the outside: counted, a few at once, the rest in a queue (developer-api.md 8.3).
import { setTimeout as delay } from "node:timers/promises"
import type { Limits } from "../../config/sandboxLimits.ts"
import type { CallReply, ScriptCall } from "../protocol.ts"

interface Calls {
  readonly invoke: (kind: string, payload: string) => Promise<string>
  readonly onReply: (reply: CallReply) => void
  /** Calls and sleeps in progress. */
  readonly pending: () => number
  /** Calls and sleeps so far. */
  readonly begun: () => number
}

export const makeCalls = (limits: Limits, send: (call: ScriptCall) => void): Calls => {
  const pendingCalls = new Map<number, { resolve: (text: string) => void; reject: (error: Error) => void }>()
  const kinds = {
    http: { most: limits.httpCalls, made: 0, active: 0, line: [] as Array<() => void> },
    api: { most: limits.apiCalls, made: 0, active: 0, line: [] as Array<() => void> }
  }
  let ids = 0
  let pending = 0
  let begunCalls = 0
  const outside = async (name: "http" | "api", payload: string) => {
    const kind = kinds[name]
    if (kind.made >= kind.most) throw new Error(`A script may make at most ${kind.most} ${name} calls`)
    if (payload.length > limits.httpResponseBytes) throw new Error(`The ${name} request is too large`)
    const position = kind.made++
    if (kind.active >= limits.concurrentCalls) await new Promise<void>((resolve) => kind.line.push(resolve))
    else kind.active++
    try {
      const call = ids++
      return await new Promise<string>((resolve, reject) => {
        pendingCalls.set(call, { resolve, reject })
        send({ type: "call", call, kind: name, position, payload })
      })
    } finally {
      const next = kind.line.shift()
      if (next !== undefined) next()
      else kind.active--
    }
  }
  let sleeps = 0
  const invoke = async (kind: string, payload: string) => {
    pending++
    begunCalls++
    try {
      if (kind === "http" || kind === "api") return await outside(kind, payload)
      if (sleeps >= 1000) throw new Error("A script may have at most 1000 sleeps at once")
      sleeps++
      await delay(Math.min(10_000, Number(payload) || 0), undefined, { ref: false })
      sleeps--
      return "null"
    } finally {
      pending--
    }
  }
  return {
    invoke,
    onReply: (reply) => {
      const call = pendingCalls.get(reply.call)
      pendingCalls.delete(reply.call)
      if (reply.ok) call?.resolve(reply.text)
      else call?.reject(new Error(reply.text))
    },
    pending: () => pending,
    begun: () => begunCalls
  }
}
