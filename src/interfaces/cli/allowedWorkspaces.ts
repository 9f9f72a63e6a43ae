// Which workspaces may use a secret, a mail account or a provider of the organization, as the operator says it (decisions A26):
// `all`, `none`, or ids with commas between them.
import { Schema, SchemaTransformation } from "effect"
import { Argument, Flag } from "effect/cli"
import { Allowed } from "../../platform/sharing/allowedUse.ts"

const IDS = /^\d{1,15}(?:,\d{1,15})*$/

const Words = Schema.String.check(
  Schema.makeFilter((text: string) => text === "all" || text === "none" || IDS.test(text), {
    expected: "`all`, `none`, or ids of workspaces with commas between them"
  })
)

const FromWords = Words.pipe(
  Schema.decodeTo(
    Allowed,
    SchemaTransformation.transform({
      decode: (text: string): typeof Allowed.Encoded =>
        text === "all" ? "all" : { workspace_ids: text === "none" ? [] : text.split(",").map(Number) },
      encode: (allowed: typeof Allowed.Encoded) =>
        allowed === "all" ? "all" : allowed.workspace_ids.length === 0 ? "none" : allowed.workspace_ids.join(",")
    })
  )
)

const help = "Workspaces that may use it: all, none, or ids with commas between them"

export const allowFlag = Flag.String("allow").pipe(
  Flag.withDescription(`${help}; none unless given`),
  Flag.withSchema(FromWords),
  Flag.optional
)

export const allowArgument = Argument.String("workspaces").pipe(
  Argument.withDescription(help),
  Argument.withSchema(FromWords)
)
