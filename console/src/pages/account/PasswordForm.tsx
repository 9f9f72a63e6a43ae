// Changes the reader's password (decisions O12): the present one, and the new one twice.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../../api/account.ts"
import { me } from "../../api/queries.ts"
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
      aria-label="Password"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDifferent) change.mutate(draft)
      }}
    >
      <h2>Password</h2>
      <input type="hidden" autoComplete="username" value={person?.email ?? ""} />
      {line("current", "Current password", "current-password")}
      {line(
        "password",
        "New password",
        "new-password",
        "At least 10 characters. A few unrelated words make a good one."
      )}
      {line("repeated", "New password again", "new-password")}
      {isDifferent && <p className="wrong">The two new passwords are not the same.</p>}
      {change.isError && <Failure what="The password stays as it was." error={change.error} />}
      <output>
        {change.isSuccess && (
          <p className="note good">
            The password is changed. Other browsers were signed out; connected apps, your API key and your tokens go on.
          </p>
        )}
      </output>
      <button type="submit" disabled={change.isPending || isDifferent}>
        Change password
      </button>
    </form>
  )
}
