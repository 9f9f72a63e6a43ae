// A labelled line of a form: text, or a secret that is typed blind.
import { type InputHTMLAttributes, type ReactNode, useId } from "react"

interface FormFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  readonly hint?: ReactNode
}
export const FormField = ({ label, value, change, hint, ...input }: FormFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={({ target }) => change(target.value)}
        autoComplete="off"
        spellCheck={false}
        {...input}
        {...(hint !== undefined && { "aria-describedby": `${id}-hint` })}
      />
      {hint !== undefined && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
    </div>
  )
}

interface ChoiceFieldProps<A extends string> {
  readonly label: string
  readonly value: A
  readonly choices: Readonly<Record<A, string>>
  readonly change: (value: A) => void
  readonly className?: string
}
export const ChoiceField = <A extends string>(props: ChoiceFieldProps<A>) => {
  const { label, value, choices, change, className = "" } = props
  const id = useId()
  return (
    <div className={`field ${className}`.trim()}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => change(target.value as A)}>
        {Object.entries<string>(choices).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
