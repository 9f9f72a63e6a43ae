// Completion of references in a text: behind `{{` by their short form (docs/api.md "Short templates"), behind @ by their label. The chosen one
// takes the place of what was typed as a chip.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { EditorView } from "@codemirror/view"
import { chipOf } from "../model/chips.ts"
import type { Reference } from "../model/definition.ts"
import type { ReferenceGroup } from "../model/references.ts"

interface Mark {
  /** Text from the mark to the caret. */
  readonly typed: RegExp
  readonly mark: RegExp
  /** Text behind the mark for which the same list holds. */
  readonly validFor: RegExp
  /** Text behind the caret that the chip replaces too. */
  readonly closing: RegExp
}
export const braces: Mark = {
  typed: /\{\{[^{}]*/,
  mark: /^\{\{\s*/,
  // Blanks behind the braces belong to the mark.
  validFor: /^(?:[^{}\s][^{}]*)?$/,
  closing: /^\s?\}\}/
}
export const mention: Mark = { typed: /@[^\s@]*/, mark: /^@/, validFor: /^[^\s@]*$/, closing: /^(?!)/ }

/** @param nameOf what a reference is found by, if it can stand behind the mark */
export const referenceCompletion = (
  context: CompletionContext,
  { closing, mark, typed, validFor }: Mark,
  groups: ReadonlyArray<ReferenceGroup>,
  nameOf: (reference: Reference, label: string) => string | undefined
): CompletionResult | null => {
  const match = context.matchBefore(typed)
  if (match === null) return null
  const markLength = mark.exec(match.text)?.[0].length ?? 0
  const apply = (reference: Reference) => (view: EditorView, _: unknown, from: number, to: number) => {
    const chip = chipOf(reference)
    const end = to + (closing.exec(view.state.sliceDoc(to, to + 3))?.[0].length ?? 0)
    const start = from - markLength
    view.dispatch({ changes: { from: start, to: end, insert: chip }, selection: { anchor: start + chip.length } })
  }
  return {
    from: match.from + markLength,
    validFor,
    options: groups.flatMap(({ choices, group }) =>
      choices.flatMap(({ label, reference }) => {
        const name = nameOf(reference, label)
        const detail = name === label ? ` ${group}` : ` ${label} · ${group}`
        return name === undefined ? [] : [{ label: name, detail, apply: apply(reference) }]
      })
    )
  }
}
