// Second steps of people as rows (decisions, "The second step"): what is counted, listed and matched; the secrets of authenticator apps sealed.
import { Effect, Schema } from "effect"
import { sealedColumn } from "../../../platform/sealing/SealedColumn.ts"
import { countOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"

export const totpSecret = sealedColumn({
  table: "factors",
  key: ["factor_id"],
  column: "secret",
  form: "bytea",
  binds: ["person_id"],
  context: ({ person_id }) => `factors/${person_id}`
})

export const secretContext = (personId: number) => totpSecret.contextOf({ person_id: personId })

export const FactorKind = Schema.Literals(["totp", "passkey"])
export type FactorKind = typeof FactorKind.Type

/** Maximum number of each kind for a person. */
export const most: Readonly<Record<FactorKind, number>> = { totp: 2, passkey: 10 }

export const Factor = Schema.Struct({
  factor_id: Schema.Int,
  kind: FactorKind,
  name: Schema.String,
  created_on: Schema.Date,
  last_used_on: Schema.NullOr(Schema.Date)
})
export type Factor = typeof Factor.Type

const TotpRow = Schema.Struct({ factor_id: Schema.Int, secret: Schema.Uint8Array })
const PasskeyRow = Schema.Struct({
  factor_id: Schema.Int,
  credential_id: Schema.String,
  public_key: Schema.Uint8Array,
  transports: Schema.NullOr(Schema.Array(Schema.String))
})

export const makeFactorRows = Effect.map(Sql, (sql) => ({
  list: (personId: number) =>
    rowsOf(Factor)(sql`
      SELECT factor_id, kind, name, created_on, last_used_on FROM factors WHERE person_id = ${personId} ORDER BY factor_id`),
  totps: (personId: number) =>
    rowsOf(TotpRow)(
      sql`SELECT factor_id, secret FROM factors WHERE person_id = ${personId} AND kind = 'totp' ORDER BY factor_id`
    ),
  passkeys: (personId: number) =>
    rowsOf(PasskeyRow)(sql`
      SELECT factor_id, credential_id, public_key, transports FROM factors
      WHERE person_id = ${personId} AND kind = 'passkey' ORDER BY factor_id`),
  codesLeft: (personId: number) =>
    countOf(sql`SELECT count(*)::int AS n FROM recovery_codes WHERE person_id = ${personId} AND used_on IS NULL`)
}))
