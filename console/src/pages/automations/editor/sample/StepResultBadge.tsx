// The outcome of a step's last test, on its card of the flow: done, failed, left out; muted where it is from before the last change.
import { useContext } from "react"
import { stepResultBadge as texts } from "../../../../texts/automations/editorSteps.ts"
import { resultWords } from "./resultWords.ts"
import { ResultsContext } from "./useSample.ts"

export const StepResultBadge = ({ id }: { readonly id: string }) => {
  const result = useContext(ResultsContext).get(id)
  if (result === undefined) return null
  const { sign, tone, word } = resultWords[result.status]
  const { length } = result.items
  const words = `${word}${length > 1 ? texts.lengthItems(length) : ""}${result.isStale ? texts.fromBeforeYourLastChange : ""}`
  return (
    <span className={`tag ${result.isStale ? "" : tone}`.trim()} title={words}>
      <span aria-hidden="true">{sign}</span>
      <span className="unseen">{words}</span>
    </span>
  )
}
