// `multi_phone`: numbers as typed, of eight types (developer-api.md 3.2).
import { Effect, Result, Schema } from "effect"
import type { AssignableType } from "../contract/FieldType.ts"
import { textOf } from "../input/writeInput.ts"
import { type ContactInput, contactKindOf } from "../kinds/contactFields.ts"

const PhoneSettings = Schema.Struct({
  only_allow_single_entry: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  call_link_scheme: Schema.Literals(["tel", "callto"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("tel" as const))
  )
})

const kind: ContactInput = {
  key: "phone",
  types: ["work", "work_fax", "home", "home_fax", "main", "mobile", "pager", "other"],
  valueOf: (input) =>
    Result.flatMap(textOf(input, 500, "a phone number"), (text) =>
      text.trim() === "" ? Result.fail("must be a phone number") : Result.succeed(text.trim())
    )
}

export const multiPhone: AssignableType<"contacts", typeof PhoneSettings.Type> = {
  ...contactKindOf(kind),
  tag: "multi_phone",
  label: "Phone",
  settings: PhoneSettings
}
