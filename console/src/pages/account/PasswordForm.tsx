// Changes the reader's password (decisions O12): the present one, and the new one twice.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../../api/account.ts"
import { me } from "../../api/queries.ts"
import { passwordForm as texts } from "../../texts/account/signIn.ts"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { FormField } from "../admin/FormField.tsx"

const nothing = { current: "", password: "", repeated: "" }

export const PasswordForm = () => {
  const [draft, setDraft] = useState(nothing)
  const person = useQuery(me).data
  const change = useChange(
    ({ current, password }: typeof nothing) => ask("/account/password", { current, password }),
    [["sessions"]],
    () => setDraft(nothing)
  )
  const isDifferent = draft.repeated !== "" && draft.password !== draft.repeated
  const line = (key: keyof typeof nothing, label: string, autoComplete: string, hint?: string) => (
    <FormField
      label={label}
      type="password"
      value={draft[key]}
      change={(value) => setDraft({ ...draft, [key]: value })}
      required
      maxLength={256}
      autoComplete={autoComplete}
      {...(key !== "current" && { minLength: 10 })}
      {...(hint !== undefined && { hint })}
    />
  )
  return (
    <form
      className="card narrow-form"
      aria-label={texts.password}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDifferent) change.mutate(draft)
      }}
    >
      <h2>{texts.password}</h2>
      <input type="hidden" autoComplete="username" value={person?.email ?? ""} />
      {line("current", texts.currentPassword, "current-password")}
      {line("password", texts.newPassword, "new-password", texts.atLeast10Characters)}
      {line("repeated", texts.newPasswordAgain, "new-password")}
      {isDifferent && <p className="wrong">{texts.twoNewPasswords}</p>}
      {change.isError && (
        <Failure what={texts.passwordStaysAsItWas} error={change.error} labels={{ password: texts.newPassword }} />
      )}
      <output>{change.isSuccess && <p className="note good">{texts.passwordIsChanged}</p>}</output>
      <button type="submit" disabled={change.isPending || isDifferent}>
        {texts.changePassword}
      </button>
    </form>
  )
}
