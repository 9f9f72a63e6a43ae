// Every encrypted column there is, one line each: what the command line counts and re-encrypts (decisions O9, P11).
//
// A place is defined by `sealedColumn` in the module that writes it. Encrypted texts within a JSON column (of a run's variables, say)
// are a place as well: its `form` is `{ each: (value, replace) => … }`, which walks the value, calls `replace` with each encrypted
// text in base64, and gives the value back; `where` spares the rows that hold none. What lives for minutes outside of the database
// takes its context from `passing`.

import { storedAnswer } from "../../api/middleware/Idempotency.ts"
import { totpSecret } from "../../domain/accounts/factors/factorRows.ts"
import { inboundAddress } from "../../domain/automations/definitions/InboundAddresses.ts"
import { runValues } from "../../domain/automations/model/sealedValues.ts"
import { secretValue } from "../../domain/secrets/Secret.ts"
import { hookCode, hookFormerSecrets, hookSealed, hookSecret } from "../../domain/webhooks/mailboxRows.ts"
import { providerSecrets } from "../../platform/mail/providerRows.ts"
import { smtpPassword } from "../../platform/mail/smtpRows.ts"
import type { SealedColumn } from "../../platform/sealing/SealedColumn.ts"

export const sealedColumns: ReadonlyArray<SealedColumn> = [
  hookSecret,
  hookFormerSecrets,
  hookCode,
  hookSealed,
  inboundAddress,
  ...runValues,
  secretValue,
  smtpPassword,
  totpSecret,
  ...Object.values(providerSecrets),
  storedAnswer
]
