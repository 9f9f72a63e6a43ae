// Secret values of a hook's settings (decisions W11, O9): sealed when they are written; opened once, and cached, when they are sent.
import { Effect } from "effect"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import type { SealedValues } from "./HookSettings.ts"
import { hookSealed } from "./mailboxRows.ts"
import { makeOpenedOnce } from "./openedOnce.ts"

export const makeSealValue = Effect.map(
  Secrets,
  (secrets) => (hookId: number, value: string) =>
    Buffer.from(secrets.encrypt(value, hookSealed.contextOf({ hook_id: hookId }))).toString("base64")
)

export const makeOpenValue = Effect.map(
  makeOpenedOnce(
    (hookId) => hookSealed.contextOf({ hook_id: hookId }),
    (value) => value
  ),
  ({ open }) =>
    (hookId: number, sealed: SealedValues | null, name: string) =>
      open(hookId, sealed?.[name])
)
