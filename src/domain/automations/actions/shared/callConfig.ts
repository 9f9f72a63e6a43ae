// Config keys of steps that call an automation or make a weblink (developer-api.md 7.6, 7.8).
import { Schema } from "effect"
import { list, sizes, token } from "../../../../platform/bounds/sized.ts"
import { Id } from "../../../../platform/primitives/commonSchemas.ts"
import { unset, withDefault } from "../../schema/combinators.ts"
import { CustomDef, code, template } from "../../schema/dynamicValues.ts"

const CallArgument = Schema.Struct({
  id: token.pipe(withDefault("")),
  variable_def: CustomDef,
  assignment_type: Schema.Literals(["set", "set_code"]).pipe(withDefault("set")),
  value: template,
  code
}).annotate({ identifier: "CallArgument" })
export type CallArgument = typeof CallArgument.Type
export const call = {
  automation_id: unset(Id),
  call_arguments: list(CallArgument, sizes.arguments).pipe(withDefault([])),
  wait_for_result: unset(
    Schema.Boolean.annotate({
      description:
        "Waits for the called run, takes its variables over and fails with it; of many, lists in the order of the records"
    })
  )
}
