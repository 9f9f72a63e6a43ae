// Everything that is wrong with the definition as one list; an entry leads to the field that it is about.

import { problemList as texts } from "../../../texts/automations/editor.ts"
import { useEditor, useLabels } from "./context.ts"
import { labelOf } from "./model/formWords.ts"
import type { Problem } from "./model/problems.ts"
import { stepOf } from "./model/steps.ts"

const MOST = 100

/** @param toForm moves the keyboard into the form, to the control of this key if there is one */
export const ProblemList = ({ toForm }: { readonly toForm: (key?: string) => void }) => {
  const { choose, draft, problems } = useEditor()
  const label = useLabels()
  if (problems.length === 0) return null
  const partOf = ({ at }: Problem) => {
    if (at === "trigger") return texts.trigger
    if (at === "filter") return texts.filter
    const step = stepOf(draft.now.actions, at)
    return step === undefined ? texts.theAutomation : step.custom_name || label(step.type)
  }
  const errors = problems.filter(({ tone }) => tone === "bad").length
  const warnings = problems.length - errors
  const counts = [...(errors > 0 ? [texts.errors(errors)] : []), ...(warnings > 0 ? [texts.warnings(warnings)] : [])]
  return (
    <details className="problem-list">
      <summary>{counts.join(texts.and)}</summary>
      <ul>
        {problems.slice(0, MOST).map((problem) => (
          <li key={`${problem.at} ${problem.key} ${problem.message}`}>
            <button
              type="button"
              className="problem-line"
              onClick={() => {
                choose(problem.at === "" ? "settings" : problem.at)
                toForm(problem.key)
              }}
            >
              <strong>
                {partOf(problem)}
                {problem.key === undefined ? "" : ` › ${labelOf(problem.key)}`}
              </strong>{" "}
              {problem.message}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
