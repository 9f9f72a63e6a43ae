// Adds a passkey of this device or a security key; the browser asks for it.
import { startRegistration } from "@simplewebauthn/browser"
import { useState } from "react"
import { ask } from "../../api/account.ts"
import { addPasskey as texts } from "../../texts/account/signIn.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { FormField } from "../admin/FormField.tsx"
import { FACTORS, type NewCodes } from "./factorQueries.ts"

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"]

/** What the browser makes when its person agrees; undefined if they did not. */
const register = async (optionsJSON: Options) => {
  try {
    return await startRegistration({ optionsJSON })
  } catch (error) {
    if (error instanceof Error && (error.name === "NotAllowedError" || error.name === "InvalidStateError"))
      return undefined
    throw error
  }
}

interface AddPasskeyProps {
  readonly close: () => void
  readonly onAdded: (codes: ReadonlyArray<string>) => void
}
export const AddPasskey = ({ close, onAdded }: AddPasskeyProps) => {
  const [name, setName] = useState<string>(texts.thisDevice)
  const add = useChange(
    async () => {
      const { options } = await ask<{ readonly options: Options }>("/account/factors/ask-passkey")
      const answer = await register(options)
      return answer === undefined
        ? undefined
        : ask<NewCodes>("/account/factors/add-passkey", { name, answer: JSON.stringify(answer) })
    },
    [FACTORS],
    (added) => added !== undefined && onAdded(added.codes)
  )
  return (
    <Dialog title={texts.addAPasskey} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(undefined)
        }}
      >
        <p>{texts.fingerprintFaceOrCode}</p>
        <FormField label={texts.name} value={name} change={setName} required maxLength={60} />
        {add.isSuccess && add.data === undefined && <p className="note warn">{texts.browserAddedNone}</p>}
        {add.isError && <Failure what={texts.noPasskeyWasAdded} error={add.error} />}
        <button type="submit" disabled={add.isPending}>
          {texts.addPasskey}
        </button>
      </form>
    </Dialog>
  )
}
