// Completion in scripts: after a dot what the value there has, elsewhere the names that a script of this place finds, its own names, values of
// the run as chips, and words of the language. Nothing in texts and comments.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { localCompletionSource } from "@codemirror/lang-javascript"
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language"
import { chipOf } from "../model/chips.ts"
import type { ReferenceGroup } from "../model/references.ts"
import { declarationsOf, type Member, type SyntaxNode } from "./declarations.ts"
import { keywords, standardNames } from "./language.ts"
import type { ScriptName } from "./place.ts"
import { membersOfType, type Script, typeOf } from "./typeOf.ts"

const silentNodeNames =
  /^(?:String|TemplateString|RegExp|LineComment|BlockComment|VariableDefinition|PropertyDefinition|Label)$/
const word = /^[\w$]*$/
/** A text just opened is read in pieces of 20 ms; what is asked for waits a little for the rest. */
const READ_MILLIS = 300

/** Builds a completion; the full type and the description are shown next to the selected one. */
const option = (name: string, type: string, doc: string, more: Partial<Completion> = {}): Completion => ({
  label: name,
  ...(type === "any" ? {} : { detail: type }),
  ...(type === "any" && doc === "" ? {} : { info: [`${name}: ${type}`, doc].filter((part) => part !== "").join("\n") }),
  ...more
})

/** Completes a member. A name that is no identifier of JavaScript goes between brackets, replacing the dot. */
const memberOption = ({ doc, name, type }: Member): Completion =>
  option(
    name,
    type,
    doc,
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
      ? {}
      : {
          apply: (view, _, from, to) => {
            const dots = view.state.sliceDoc(from - 2, from) === "?." ? "?." : ""
            const insert = `${dots}[${JSON.stringify(name)}]`
            const start = from - (dots === "" ? 1 : 2)
            view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } })
          }
        }
  )

/** The value before the dot that the cursor is behind, if it is. */
const ownerAt = (node: SyntaxNode): SyntaxNode | undefined =>
  /^(?:PropertyName|\.|\?\.)$/.test(node.name) && node.parent?.name === "MemberExpression"
    ? (node.parent.firstChild ?? undefined)
    : undefined

export const scriptCompletion = (
  { names, source }: { readonly names: ReadonlyArray<ScriptName>; readonly source: string },
  groups: ReadonlyArray<ReferenceGroup>
) => {
  const types = new Map(names.map(({ name, type }) => [name, type]))
  const always: ReadonlyArray<Completion> = [
    ...names.map(({ description, name, type }) => option(name, type, description, { boost: 2 })),
    ...groups.flatMap(({ choices, group }) =>
      choices.map((one) => ({ label: one.label, detail: group, apply: chipOf(one.reference), boost: 1 }))
    ),
    ...standardNames.map((label) => ({ label, boost: -1 })),
    ...keywords.map((label) => ({ label, boost: -2 }))
  ]
  return (context: CompletionContext): CompletionResult | null => {
    const { pos, state } = context
    const node = (ensureSyntaxTree(state, pos, READ_MILLIS) ?? syntaxTree(state)).resolveInner(pos, -1)
    const owner = ownerAt(node)
    if (owner !== undefined) {
      const script: Script = {
        declarations: declarationsOf(source),
        given: (name) => types.get(name),
        text: ({ from, to }) => context.state.sliceDoc(from, to)
      }
      const options = membersOfType(script, typeOf(script, owner)).map(memberOption)
      const from = node.name === "PropertyName" ? node.from : context.pos
      return options.length === 0 ? null : { from, options, validFor: word }
    }
    if (silentNodeNames.test(node.name) || node.name === "PropertyName") return null
    const typedWord = context.matchBefore(/[\w$]*/)
    if (typedWord === null || (typedWord.text === "" && !context.explicit)) return null
    const localOptions = localCompletionSource(context)?.options ?? []
    return {
      from: typedWord.from,
      options: [...localOptions.map((one) => ({ ...one, boost: 3 })), ...always],
      validFor: word
    }
  }
}
