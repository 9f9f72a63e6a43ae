// Mail services of every process: sending, accounts, authentication providers.
import { Layer } from "effect"
import { AuthenticationProviders } from "./AuthenticationProviders.ts"
import { Mail } from "./Mail.ts"
import { SmtpAccounts } from "./SmtpAccounts.ts"

export const MailServices = Layer.mergeAll(Mail.layerNoDeps, AuthenticationProviders.layer).pipe(
  Layer.provideMerge(SmtpAccounts.layer)
)
