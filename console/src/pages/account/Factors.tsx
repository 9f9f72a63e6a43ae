// The reader's second steps and recovery codes: added, removed and made anew by who has shown that it is them.
import { useState } from "react"
import { ask, confirmAddress } from "../../api/account.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { LastUsed, Time } from "../../ui/Time.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { AddApp } from "./AddApp.tsx"
import { AddPasskey } from "./AddPasskey.tsx"
import { FACTORS, type Factor, type FactorState, type NewCodes } from "./factorQueries.ts"

const kinds = { totp: "Authenticator app", passkey: "Passkey" } as const

const FactorRow = ({ factor, mayChange }: { readonly factor: Factor; readonly mayChange: boolean }) => {
  const { created_on, factor_id, kind, last_used_on, name } = factor
  const remove = useChange(() => ask("/account/factors/remove", { factor_id }), [FACTORS])
  return (
    <li className="person">
      <div>
        <strong>{name}</strong>
        <small className="muted">
          {kinds[kind]} · added <Time at={created_on} /> · <LastUsed at={last_used_on} />
        </small>
      </div>
      {mayChange && (
        <Confirm
          label="Remove"
          about={name}
          title={`Remove ${name}?`}
          yes="Remove it"
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>It no longer signs you in.</p>
        </Confirm>
      )}
      {remove.isError && <Failure what="It was not removed." error={remove.error} />}
    </li>
  )
}

const Codes = ({ codes }: { readonly codes: ReadonlyArray<string> }) => (
  <section className="note good" aria-labelledby="new-codes">
    <h3 id="new-codes">Your recovery codes</h3>
    <p>
      When you have lost your second step, one of these signs you in. Each works once. Print them, or keep them where
      you keep passwords: they are not shown again.
    </p>
    <ul className="codes" aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </section>
)

const RecoveryCodes = ({
  show,
  state
}: {
  readonly show: (codes: ReadonlyArray<string>) => void
  readonly state: FactorState
}) => {
  const renew = useChange(
    () => ask<NewCodes>("/account/factors/new-codes"),
    [FACTORS],
    ({ codes }) => show(codes)
  )
  return (
    <>
      <h3>Recovery codes</h3>
      <p>{state.codes_left} left. Each signs you in once, in place of a second step.</p>
      {state.may_change && (
        <Confirm
          label="Make new codes"
          title="Make new recovery codes?"
          yes="Make new codes"
          busy={renew.isPending}
          onYes={() => renew.mutate(undefined)}
        >
          <p>The present ones stop working at once.</p>
        </Confirm>
      )}
      {renew.isError && <Failure what="The codes stay as they are." error={renew.error} />}
    </>
  )
}

export const Factors = ({ state }: { readonly state: FactorState }) => {
  const [open, setOpen] = useState<"app" | "passkey">()
  const [codes, setCodes] = useState<ReadonlyArray<string>>([])
  const close = () => setOpen(undefined)
  const onAdded = (made: ReadonlyArray<string>) => {
    close()
    setCodes(made)
  }
  const isOn = state.factors.length > 0
  const needed = isOn ? undefined : state.asking[0]
  return (
    <section className="card" aria-labelledby="second-step">
      <h2 id="second-step">Two-step sign-in</h2>
      <p>After your password you show something that you have: a passkey of your device, or a code of an app.</p>
      {needed !== undefined && (
        <p className="note warn">
          {needed.name} asks for a second step from <Time at={needed.required_from} full /> on.
        </p>
      )}
      {codes.length > 0 && <Codes codes={codes} />}
      {isOn ? (
        <ul className="plain">
          {state.factors.map((factor) => (
            <FactorRow key={factor.factor_id} factor={factor} mayChange={state.may_change} />
          ))}
        </ul>
      ) : (
        <p>It is off: your password alone signs you in.</p>
      )}
      {state.may_add && (
        <div className="actions">
          {state.passkeys_possible && (
            <button type="button" className="quiet" onClick={() => setOpen("passkey")}>
              Add a passkey
            </button>
          )}
          <button type="button" className="quiet" onClick={() => setOpen("app")}>
            Set up an app
          </button>
        </div>
      )}
      {!state.passkeys_possible && (
        <p className="muted after">Passkeys need an address with a name, by https: here there are none.</p>
      )}
      {isOn && <RecoveryCodes state={state} show={setCodes} />}
      {(!state.may_add || (isOn && !state.may_change)) && (
        <p className="after">
          <a className="button quiet" href={confirmAddress()}>
            Confirm that it is you
          </a>{" "}
          <span className="muted">to {state.may_add ? "remove or replace" : "change"} anything here.</span>
        </p>
      )}
      {open === "app" && <AddApp close={close} onAdded={onAdded} />}
      {open === "passkey" && <AddPasskey close={close} onAdded={onAdded} />}
    </section>
  )
}
