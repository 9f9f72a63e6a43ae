// What is wrong with lines of a file, each by its number.
import type { Preview } from "./importChoices.ts"

export const LineProblems = ({ problems }: { readonly problems: Preview["problems"] }) => (
  <ul className="plain">
    {problems.map(({ line, message }) => (
      <li key={line}>
        Line {line}: {message}
      </li>
    ))}
  </ul>
)
