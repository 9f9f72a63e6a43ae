// A field that narrows what is on the page; how much is left is said aloud.
import { useId } from "react"
import { icons } from "./icons.tsx"

interface SearchProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Number of results, in words. */
  readonly count?: string
}
export const Search = ({ label, value, onChange, count }: SearchProps) => {
  const id = useId()
  return (
    <search className="find">
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      {icons.search}
      <input
        id={id}
        ref={(input) => {
          // A dialog around it looks for this attribute and gives it the focus.
          input?.toggleAttribute("autofocus", true)
        }}
        type="search"
        placeholder={label}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <output className="muted">{value === "" ? "" : count}</output>
    </search>
  )
}
