// A new password in a form, typed twice (decisions O12), wherever one is set.
import { maximumLength, minimumLength } from "../../domain/accounts/passwords.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { field } from "../web/pageParts.ts"
import { newPassword as texts } from "./texts/signIn.ts"

export const newPasswordFields = html`${field({
  name: texts.password,
  label: texts.newPassword,
  type: "password",
  autocomplete: "new-password",
  min: minimumLength,
  max: maximumLength,
  hint: texts.atLeastMinimumLengthCharacters(minimumLength)
})}${field({ name: texts.repeated, label: texts.newPasswordAgain, type: "password", autocomplete: "new-password", max: maximumLength })}`

export const newPasswordProblem = (fields: Fields): string | undefined => {
  const { length } = fields.get("password")
  if (length < minimumLength || length > maximumLength)
    return texts.newPasswordNeedsMinimumLength(minimumLength, maximumLength)
  return fields.get("password") === fields.get("repeated") ? undefined : texts.twoNewPasswords
}
