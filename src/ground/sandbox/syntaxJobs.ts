// The program of the thread in which scripts are parsed, never run (decisions P8): by the engine that would run them.
import { Script } from "node:vm"
import { serve } from "../primitives/apartThread.ts"
import { type DroppedCall, droppedCalls } from "./droppedCalls.ts"
import { formOf, origin, type ScriptMode } from "./scriptForms.ts"

export interface ScriptText {
  readonly mode: ScriptMode
  readonly source: string
}

export interface SyntaxFault {
  readonly message: string
  /** Counts from 1 in the source as given. */
  readonly line: number | null
}

export interface ScriptFindings {
  /** Null where it parses. */
  readonly fault: SyntaxFault | null
  readonly dropped: ReadonlyArray<DroppedCall>
}

const MESSAGE_CHARS = 500

const compiled = (text: string, options: object): unknown => {
  try {
    void new Script(text, options)
    return undefined
  } catch (error) {
    return error
  }
}

const faultOf = ({ mode, source }: ScriptText): SyntaxFault | null => {
  const error = compiled(formOf(mode, source), origin)
  if (error === undefined) return null
  // V8's own word for a `return` outside of a function, which the parentheses around an expression would hide.
  const plain = mode === "sync" ? compiled(source, { ...origin, lineOffset: 0 }) : undefined
  const told = plain instanceof Error && /Illegal return/.test(plain.message) ? plain : error
  if (!(told instanceof Error)) return { message: String(told).slice(0, MESSAGE_CHARS), line: null }
  const at = /^script:(\d+)/.exec(told.stack ?? "")
  const message = `${told.name}: ${told.message}`.slice(0, MESSAGE_CHARS)
  return { message, line: at === null ? null : Math.max(1, Number(at[1])) }
}

const findingsOf = (script: ScriptText): ScriptFindings => {
  const fault = faultOf(script)
  return { fault, dropped: fault === null && script.mode === "async" ? droppedCalls(script.source) : [] }
}

serve((scripts: ReadonlyArray<ScriptText>) => scripts.map(findingsOf))
