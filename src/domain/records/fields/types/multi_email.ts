// `multi_email`: addresses of type work, home or other (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { AssignableType } from "../contract/FieldType.ts"
import { isEmailAddress } from "../input/addressForms.ts"
import { textOf } from "../input/writeInput.ts"
import { type ContactInput, contactKindOf } from "../kinds/contactFields.ts"

/** `only_allow_single_entry` is a hint for editors and limits nothing. */
const EmailSettings = Schema.Struct({
  only_allow_single_entry: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

const kind: ContactInput = {
  key: "email",
  types: ["work", "home", "other"],
  valueOf: (input) =>
    Result.flatMap(textOf(input, 254, "an email address"), (text) => {
      const address = text.trim()
      return isEmailAddress(address)
        ? Result.succeed(address)
        : Result.fail(`must be an email address: ${JSON.stringify(text)}`)
    })
}

export const multiEmail: AssignableType<"contacts", typeof EmailSettings.Type> = {
  ...contactKindOf(kind),
  tag: "multi_email",
  label: "Email",
  scheme: "mailto",
  settings: EmailSettings
}
