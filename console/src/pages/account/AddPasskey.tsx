// Adds a passkey of this device or a security key; the browser asks for it.
import { startRegistration } from "@simplewebauthn/browser"
import { useState } from "react"
import { ask } from "../../api/account.ts"
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
  const [name, setName] = useState("This device")
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
    <Dialog title="Add a passkey" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(undefined)
        }}
      >
        <p>Fingerprint, face or code of this device, or a security key. It cannot be phished.</p>
        <FormField label="Name" value={name} change={setName} required maxLength={60} />
        {add.isSuccess && add.data === undefined && (
          <p className="note warn">The browser added none: you cancelled, or this passkey is in use already.</p>
        )}
        {add.isError && <Failure what="No passkey was added." error={add.error} />}
        <button type="submit" disabled={add.isPending}>
          Add passkey
        </button>
      </form>
    </Dialog>
  )
}
