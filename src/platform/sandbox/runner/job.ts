// Handles one request to a script process, from a fresh context to its answer.
import type Ivm from "isolated-vm"
import { scriptLibraries } from "../libraries.ts"
import {
  type CallReply,
  type LogLine,
  MANY_CHARS,
  type Run,
  type RunMany,
  resultChars,
  type ScriptCall,
  type ScriptDone,
  type ScriptOutcome,
  type Which
} from "../protocol.ts"
import { faultIn, formOf, origin, type ScriptMode, type SyntaxFault, trimmed } from "../scriptForms.ts"
import { makeAnswers } from "./callAnswers.ts"
import { makeCalls } from "./calls.ts"
import { ivm } from "./ivm.ts"
import { charsOf, errorOf, failureOf, faultOf, firstWithinLimit, outcomeOf } from "./outcomes.ts"
import type { Realm, Realms } from "./realms.ts"
import { textFunction } from "./textFunctions.ts"
import { watch } from "./watch.ts"

const LEVELS: ReadonlySet<string> = new Set(["log", "info", "warn", "error"])
/** Words by which an evaluation could notice the frozen realm, or keep state inside a library. */
const NOTICES =
  /\b(try|this|arguments|Promise|async|await|yield|console|isFrozen|isSealed|isExtensible|getOwnPropertyDescriptors?|Reflect|uniqueId|setDefaultOptions|mixin|runInContext|templateSettings|locale|(?:define|update)Locale|relativeTime\w+|updateOffset|momentProperties)\b/
/** The short name stands in many words: with its dot it is the library. */
const names = (source: string, name: string) => source.includes(name === "_" ? "_." : name)

const strict = (names: ReadonlyArray<string>, source: string) =>
  `(function (${names.join(",")}) { "use strict"; return (\n${trimmed(source) || "undefined"}\n) })`

/** V8's own word for a `return` outside of a function, which the parentheses around an expression would hide. */
const syntaxError = async (realm: Realm, mode: ScriptMode, source: string, error: Error): Promise<ScriptOutcome> => {
  const faultOutcome = (fault: SyntaxFault) => errorOf(fault.message, fault.position)
  const inText = faultOutcome(faultIn(mode, source, faultOf(error)))
  if (mode === "async") return inText
  const plainError = await realm.isolate.compileScript(source, { ...origin, lineOffset: 0 }).then(
    () => undefined,
    (e) => e
  )
  return plainError instanceof Error && /Illegal return/.test(plainError.message)
    ? faultOutcome(faultOf(plainError))
    : inText
}

export const startJob = (message: Run | RunMany, realms: Realms, send: (call: ScriptCall) => void) => {
  const { limits } = message
  const logs: Array<LogLine> = []
  let logLeft = limits.logBytes + 64
  const log = (level: unknown, line: unknown) => {
    if (typeof line !== "string" || logLeft <= 0) return
    logLeft -= Buffer.byteLength(line) + 1
    logs.push({
      level: LEVELS.has(String(level)) ? (level as LogLine["level"]) : "log",
      message: line.slice(0, limits.logBytes + 64)
    })
  }
  const calls = makeCalls(limits, send)
  const runScript = async (mode: ScriptMode, source: string, settings: string): Promise<ScriptOutcome> => {
    const realm = await realms.take(limits.memoryMiB)
    try {
      let script: Ivm.Reference
      try {
        script = (await realm.context.eval(formOf(mode, source), { ...origin, reference: true })) as Ivm.Reference
      } catch (error) {
        return error instanceof SyntaxError ? await syntaxError(realm, mode, source, error) : failureOf(error)
      }
      if (script.typeof !== "function")
        return errorOf("SyntaxError: The code is not one expression", { line: 1, column: 1 })
      const { answer: end, rejections } = makeAnswers(realm.isolate, realm.entries.settle)
      const begin = (id: number, kind: string, payload: string) => {
        if (kind === "turn") return end(id, true, JSON.stringify(rejections))
        calls.invoke(`${kind}`, `${payload}`).then(
          (text) => end(id, true, text),
          (error) => end(id, false, error instanceof Error ? error.message : "The call failed")
        )
      }
      const host = [
        new ivm.Callback(textFunction, { sync: true }),
        new ivm.Callback(log, { ignored: true }),
        ...(mode === "sync" ? [] : [new ivm.Callback(begin, { ignored: true })])
      ]
      const answer = realm.entries[mode].apply(undefined, [script.derefInto(), settings, ...host], {
        result: mode === "sync" ? { copy: true } : { promise: true, copy: true }
      })
      const text = await (mode === "sync" ? answer : Promise.race([answer, failStuck(realm, answer)]))
      return outcomeOf(text, resultChars(limits))
    } catch (error) {
      // Reports memory if the isolate is gone: nothing else ends it in the middle of a script. Code that waited for it hears that it was
      // abandoned.
      return realm.isolate.isDisposed ? { kind: "limit", limit: "memory" } : failureOf(error)
    } finally {
      realms.release(realm)
    }
  }

  /** Fails a block that awaits what can no longer happen: nothing of it runs and no call is under way. */
  const failStuck = async (realm: Realm, answer: Promise<unknown>): Promise<never> => {
    let isSettled = false
    const end = () => {
      isSettled = true
    }
    void answer.then(end, end)
    let begunCalls = calls.begun()
    for (let quietChecks = 0; quietChecks < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (isSettled || realm.isolate.isDisposed) return answer as Promise<never>
      // Answered when the isolate has nothing else to do.
      await realm.isolate.getHeapStatistics()
      quietChecks = calls.pending() === 0 && calls.begun() === begunCalls && !isSettled ? quietChecks + 1 : 0
      begunCalls = calls.begun()
    }
    throw new Error("The script awaits a promise that nothing can settle")
  }

  /** Results of the first rows, as far as a frozen realm gives them. */
  const fast = async (batch: RunMany): Promise<ReadonlyArray<ScriptOutcome>> => {
    if (NOTICES.test(batch.source) || !batch.names.every((n) => /^[A-Za-z_$][\w$]*$/.test(n))) return []
    const realm = await realms.take(limits.memoryMiB)
    try {
      const used = scriptLibraries.flatMap((library) => library.names.filter((name) => names(batch.source, name)))
      const prepare = await realm.exports.get("prepareMany", { reference: true })
      await prepare.apply(undefined, [JSON.stringify(used), new ivm.Callback(textFunction, { sync: true })])
      const script = await realm.context.eval(strict(batch.names, batch.source), { ...origin, reference: true })
      const entry = await realm.exports.get("runMany", { reference: true })
      const text = await entry.apply(
        undefined,
        [(script as Ivm.Reference).derefInto(), batch.shared, batch.rows, limits.resultBytes],
        {
          timeout: limits.cpuMillis,
          result: { copy: true }
        }
      )
      return (JSON.parse(text as string) as Array<{ value: unknown; undefined: boolean }>).map((row) => ({
        kind: "result",
        text: JSON.stringify({ ...row, vars: {} })
      }))
    } catch {
      return []
    } finally {
      if (!realm.isolate.isDisposed) realm.isolate.dispose()
    }
  }

  const jobDone = new Promise<ScriptDone>((resolve) => {
    let outcomes: Array<ScriptOutcome> = []
    let watching = watch(limits, (which) => finish([...outcomes, { kind: "limit", limit: which }], true))
    const started = watching
    const finish = (all: ReadonlyArray<ScriptOutcome>, ended: boolean) => {
      watching.stop()
      const limited = all.some((o) => o.kind === "limit")
      resolve({ type: "done", outcomes: all, logs, ...started.spent(), ended: ended || limited })
    }
    const many = async (batch: RunMany) => {
      watching.stop()
      outcomes = firstWithinLimit(await fast(batch))
      const rows = charsOf(outcomes) >= MANY_CHARS ? [] : (JSON.parse(batch.rows) as Array<Array<unknown>>)
      const shared = rows.length === 0 ? [] : (JSON.parse(batch.shared) as Array<unknown>)
      for (let i = outcomes.length; i < rows.length; i++) {
        watching = watch(limits, (which: Which) => finish([...outcomes, { kind: "limit", limit: which }], true))
        const values = [...shared, ...rows[i]!]
        const bindings = Object.fromEntries(batch.names.map((name, n) => [name, values[n]]))
        const settings = {
          bindings,
          collect: [],
          resultBytes: limits.resultBytes,
          logBytes: limits.logBytes,
          simulate: false
        }
        const outcome = await runScript("sync", batch.source, JSON.stringify(settings))
        watching.stop()
        outcomes.push(outcome)
        if (outcome.kind === "limit" || charsOf(outcomes) >= MANY_CHARS) break
      }
      finish(outcomes, false)
    }
    if (message.type === "many") void many(message)
    else void runScript(message.mode, message.source, message.settings).then((outcome) => finish([outcome], false))
  })
  return { done: jobDone, onReply: (reply: CallReply) => calls.onReply(reply) }
}
