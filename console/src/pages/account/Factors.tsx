// The reader's second steps and recovery codes: added, removed and made anew by who has shown that it is them.
import { useState } from "react"
import { ask, confirmAddress } from "../../api/account.ts"
import { factors as texts } from "../../texts/account/signIn.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { LastUsed, Time } from "../../ui/Time.tsx"
import { useChange } from "../admin/adminQueries.ts"
import { AddApp } from "./AddApp.tsx"
import { AddPasskey } from "./AddPasskey.tsx"
import { FACTORS, type Factor, type FactorState, type NewCodes } from "./factorQueries.ts"

const kinds = texts.kinds

const FactorRow = ({ factor, mayChange }: { readonly factor: Factor; readonly mayChange: boolean }) => {
  const { created_on, factor_id, kind, last_used_on, name } = factor
  const remove = useChange(() => ask("/account/factors/remove", { factor_id }), [FACTORS])
  return (
    <li className="person">
      <div>
        <strong>{name}</strong>
        <small className="muted">
          {texts.kindAddedTime(kinds[kind], <Time at={created_on} />)} <LastUsed at={last_used_on} />
        </small>
      </div>
      {mayChange && (
        <Confirm
          label={texts.remove}
          about={name}
          title={texts.removeQuestion(name)}
          yes={texts.removeIt}
          busy={remove.isPending}
          onYes={() => remove.mutate(undefined)}
        >
          <p>{texts.itNoLongerSigns}</p>
        </Confirm>
      )}
      {remove.isError && <Failure what={texts.itWasNotRemoved} error={remove.error} />}
    </li>
  )
}

const Codes = ({ codes }: { readonly codes: ReadonlyArray<string> }) => (
  <section className="note good" aria-labelledby="new-codes">
    <h3 id="new-codes">{texts.yourRecoveryCodes}</h3>
    <p>{texts.whenYouHaveLost}</p>
    <ul className="codes" aria-label={texts.recoveryCodes}>
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
      <h3>{texts.recoveryCodes}</h3>
      <p>{texts.codesLeft(state.codes_left)}</p>
      {state.may_change && (
        <Confirm
          label={texts.makeNewCodes}
          title={texts.makeNewRecoveryCodes}
          yes={texts.makeNewCodes}
          busy={renew.isPending}
          onYes={() => renew.mutate(undefined)}
        >
          <p>{texts.presentOnesStopWorking}</p>
        </Confirm>
      )}
      {renew.isError && <Failure what={texts.codesStayAsTheyAre} error={renew.error} />}
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
      <h2 id="second-step">{texts.twoStepSignIn}</h2>
      <p>{texts.afterYourPasswordYouShow}</p>
      {needed !== undefined && (
        <p className="note warn">{texts.asksForASecondStep(needed.name, <Time at={needed.required_from} full />)}</p>
      )}
      {codes.length > 0 && <Codes codes={codes} />}
      {isOn ? (
        <ul className="plain">
          {state.factors.map((factor) => (
            <FactorRow key={factor.factor_id} factor={factor} mayChange={state.may_change} />
          ))}
        </ul>
      ) : (
        <p>{texts.itIsOff}</p>
      )}
      {state.may_add && (
        <div className="actions">
          {state.passkeys_possible && (
            <button type="button" className="quiet" onClick={() => setOpen("passkey")}>
              {texts.addAPasskey}
            </button>
          )}
          <button type="button" className="quiet" onClick={() => setOpen("app")}>
            {texts.setUpAnApp}
          </button>
        </div>
      )}
      {!state.passkeys_possible && <p className="muted after">{texts.passkeysNeedAnAddress}</p>}
      {isOn && <RecoveryCodes state={state} show={setCodes} />}
      {(!state.may_add || (isOn && !state.may_change)) && (
        <p className="after">
          <a className="button quiet" href={confirmAddress()}>
            {texts.confirmThatItIsYou}
          </a>{" "}
          <span className="muted">{texts.toAnythingHere(state.may_add ? texts.removeOrReplace : texts.change)}</span>
        </p>
      )}
      {open === "app" && <AddApp close={close} onAdded={onAdded} />}
      {open === "passkey" && <AddPasskey close={close} onAdded={onAdded} />}
    </section>
  )
}
