// Shows the problems of a part of the definition, next to where it is edited.
import { useEditor } from "./context.ts"

/** @param keys those that a form shows at their controls are left out here */
export const Problems = ({ at, keys = [] }: { readonly at: string; readonly keys?: ReadonlyArray<string> }) => {
  const { problems } = useEditor()
  const ownProblems = problems.filter((one) => one.at === at && !(one.key !== undefined && keys.includes(one.key)))
  return ownProblems.map(({ message, tone }) => (
    <p key={message} className={`note ${tone}`}>
      {message}
    </p>
  ))
}
