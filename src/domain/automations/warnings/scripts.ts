// Extracts the scripts of a definition as they will be parsed (developer-api.md 7.13 `warnings`, 8.1), and warns about fields that they
// read.

import { type JoinedSource, joined, placeWords } from "../../../platform/sandbox/joinedSource.ts"
import type { DroppedCall, ScriptText, SyntaxFault } from "../../../platform/sandbox/scriptSyntax.ts"
import type { Definition } from "../model/Definition.ts"
import { unusedName } from "../schema/unusedName.ts"
import type { Warning } from "../schema/ValidationModel.ts"
import { isReference } from "../schema/walk.ts"
import { placesOf, textsIn, type WarnedPlace } from "./warningPlaces.ts"

interface ScriptAt extends ScriptText, JoinedSource {
  readonly place: WarnedPlace
  /** Id of the condition that contains it, if that has one. */
  readonly block_id: string
}

/** Numbers need no parsing, and neither does a single reference. */
const isNumber = (source: string) => /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(source)

/** References are bound by names that the source does not hold. */
const sourceOf = (items: ReadonlyArray<unknown>): JoinedSource => {
  const name = unusedName(items.filter((item) => typeof item === "string").join(""))
  return joined(items.flatMap((item) => (typeof item === "string" ? item : isReference(item) ? { name } : [])))
}

export function* scriptsOf(definition: Definition): Iterable<ScriptAt> {
  for (const warnedPlace of placesOf(definition)) {
    for (const { holder, isCode, items, key } of textsIn(warnedPlace)) {
      if (!isCode || (key === "code" && holder["assignment_type"] === "set")) continue
      const script = sourceOf(items)
      if (script.source.trim() === "" || isNumber(script.source)) continue
      const block = warnedPlace.action?.type === "custom_code" && holder === warnedPlace.value
      const id = typeof holder["id"] === "string" && holder["id"] !== "" ? holder["id"] : warnedPlace.block_id
      yield { mode: block ? "async" : "sync", ...script, place: warnedPlace, block_id: id }
    }
  }
}

export const syntaxWarning = (
  { block_id, place, positionOf }: ScriptAt,
  { message, position }: SyntaxFault
): Warning => ({
  code: "script_syntax_invalid",
  message: `The script does not parse: ${message}${placeWords(position === null ? null : positionOf(position))}.`,
  block_id,
  action_id: place.action_id
})

/** Warns about a call whose result is not awaited (decisions A28). */
export const droppedWarning = ({ block_id, place }: ScriptAt, { call, inForEach, line }: DroppedCall): Warning => ({
  code: inForEach ? "script_for_each_async" : "script_call_not_awaited",
  message: inForEach
    ? `\`forEach\` does not wait for its callback (line ${line}): what it answers is lost, and what follows goes on at once. Use \`for (… of …)\` with \`await\`, or \`await Promise.all(….map(…))\`.`
    : `Nobody awaits \`${call}\` (line ${line}): its answer is lost, and what follows goes on at once. Write \`await\` before it.`,
  block_id,
  action_id: place.action_id
})

const named = /\b(?:current_record|previous_record)\??\.fields\??\.([A-Za-z_$][\w$]{0,99})/g

/** Warns about fields by external id that the app of the current record does not have: they read `undefined`. */
export function* fieldWarnings(scripts: Iterable<ScriptAt>, slugs: ReadonlySet<string>): Iterable<Warning> {
  for (const { block_id, place, source } of scripts) {
    const unknown = new Set<string>()
    for (const [, slug = ""] of source.matchAll(named)) if (!slugs.has(slug)) unknown.add(slug)
    for (const slug of unknown) {
      const message = `The app has no field with the external id ${JSON.stringify(slug)}, which the script reads.`
      yield { code: "script_field_unknown", message, block_id, action_id: place.action_id }
    }
  }
}
