// Problems of lines of a file, each by its number.

import { lineProblems as texts } from "../../../texts/records/csv.ts"
import type { Preview } from "./importChoices.ts"

export const LineProblems = ({ problems }: { readonly problems: Preview["problems"] }) => (
  <ul className="plain">
    {problems.map(({ line, message }) => (
      <li key={line}>{texts.lineLineMessage(line, message)}</li>
    ))}
  </ul>
)
