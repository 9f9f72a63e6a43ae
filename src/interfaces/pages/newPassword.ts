// A new password in a form, typed twice (decisions O12), wherever one is set.
import { maximumLength, minimumLength } from "../../domain/accounts/passwords.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { field } from "../web/parts.ts"

export const newPasswordFields = html`${field({
  name: "password",
  label: "New password",
  type: "password",
  autocomplete: "new-password",
  min: minimumLength,
  max: maximumLength,
  hint: `At least ${minimumLength} characters. A few unrelated words make a good one.`
})}${field({ name: "repeated", label: "New password again", type: "password", autocomplete: "new-password", max: maximumLength })}`

export const newPasswordProblem = (fields: Fields): string | undefined => {
  const { length } = fields.get("password")
  if (length < minimumLength || length > maximumLength)
    return `The new password needs ${minimumLength} to ${maximumLength} characters.`
  return fields.get("password") === fields.get("repeated") ? undefined : "The two new passwords are not the same."
}
