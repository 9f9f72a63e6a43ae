// Sets up an authenticator app: its QR code is scanned, and it counts when it has shown a code.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ask } from "../../api/account.ts"
import { addApp as texts } from "../../texts/account/signIn.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { FormField } from "../admin/FormField.tsx"
import { FACTORS, type NewCodes } from "./factorQueries.ts"

interface Offer {
  readonly sealed: string
  readonly secret: string
  /** The QR code, as a drawing. */
  readonly qr: string
}

/** Groups the secret in fours, as people read it. */
const spaced = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret

interface AddProps {
  readonly onAdded: (codes: ReadonlyArray<string>) => void
}

const CodeForm = ({ offer, onAdded }: AddProps & { readonly offer: Offer }) => {
  const [name, setName] = useState<string>(texts.authenticatorApp)
  const [code, setCode] = useState("")
  const add = useChange(
    () => ask<NewCodes>("/account/factors/add-app", { sealed: offer.sealed, name, code }),
    [FACTORS],
    ({ codes }) => onAdded(codes)
  )
  return (
    <form
      aria-label={texts.codeOfTheApp}
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined)
      }}
    >
      <p>
        <strong>{texts.scanThisWithTheApp}</strong>
      </p>
      <img className="qr" alt={texts.qrCodeOfTheSecret} src={`data:image/svg+xml,${encodeURIComponent(offer.qr)}`} />
      <details>
        <summary>{texts.orTypeThisSecretIn}</summary>
        <code className="secret">{spaced(offer.secret)}</code>
      </details>
      <p>
        <strong>{texts.enterTheCode}</strong>
      </p>
      <FormField label={texts.name} value={name} change={setName} required maxLength={60} />
      <FormField
        label={texts.code}
        value={code}
        change={setCode}
        required
        maxLength={12}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {add.isError && <Failure what={texts.itIsNotTurnedOn} error={add.error} />}
      <button type="submit" disabled={add.isPending}>
        {texts.turnOn}
      </button>
    </form>
  )
}

export const AddApp = ({ close, onAdded }: AddProps & { readonly close: () => void }) => {
  const query = useQuery({
    queryKey: ["offered-app"],
    queryFn: () => ask<Offer>("/account/factors/offer-app"),
    // One secret for as long as the dialog is open, and none afterwards.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })
  return (
    <Dialog title={texts.setUpAnAuthenticatorApp} close={close}>
      <Asked query={query} failed={texts.thereIsNoSecretYet}>
        {(offer) => <CodeForm offer={offer} onAdded={onAdded} />}
      </Asked>
    </Dialog>
  )
}
