// The requirement of a second step: in force or not, set and lifted after a question that says whom it keeps out.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { ask, confirmAddress } from "../../api/account.ts"
import { requirement as texts } from "../../texts/admin/admin.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { instantOf, Time } from "../../ui/Time.tsx"
import { useChange } from "./adminQueries.ts"
import { ChoiceField } from "./FormField.tsx"
import { SIGN_IN_POLICY, type SignInPolicy } from "./signInPolicyQueries.ts"

const delayOf = (days: number) => (days === 0 ? texts.atOnce : texts.inDays(days))

const people = (count: number) => texts.peopleHave(count, count.toLocaleString())

const Require = ({ policy }: { readonly policy: SignInPolicy }) => {
  const { grace_days, members, with_second_step } = policy
  const [days, setDays] = useState("7")
  const require = useChange(() => ask("/organization/sign-in/require", { days: Number(days) }), [SIGN_IN_POLICY])
  const lacking = members - with_second_step
  return (
    <>
      <div className="inline">
        <ChoiceField
          label={texts.requireOneFromEverybody}
          className="grace"
          value={days}
          choices={Object.fromEntries(grace_days.map((one) => [String(one), delayOf(one)]))}
          change={setDays}
        />
        <Confirm
          label={texts.requireASecondStep}
          title={texts.requireASecondStepQuestion}
          yes={texts.requireIt}
          busy={require.isPending}
          onYes={() => require.mutate(undefined)}
        >
          <p>
            {texts.connectedAppsKeysAndTokens(
              lacking === 0
                ? texts.everybodyHasOne
                : texts.peopleNone(people(lacking), days === "0" ? texts.fromNowOn : texts.afterDays(days))
            )}
          </p>
        </Confirm>
      </div>
      {require.isError && <Failure what={texts.policyStaysAsItIs} error={require.error} />}
    </>
  )
}

const Release = () => {
  const release = useChange(() => ask("/organization/sign-in/release"), [SIGN_IN_POLICY])
  return (
    <>
      <Confirm
        label={texts.makeItOptional}
        title={texts.makeTheSecondStepOptional}
        yes={texts.makeItOptional}
        busy={release.isPending}
        onYes={() => release.mutate(undefined)}
      >
        <p>{texts.whoeverHasNoneSigns}</p>
      </Confirm>
      {release.isError && <Failure what={texts.policyStaysAsItIs} error={release.error} />}
    </>
  )
}

const ConfirmFirst = () => (
  <p>
    <a className="button quiet" href={confirmAddress()}>
      {texts.confirmThatItIsYou}
    </a>{" "}
    <span className="muted">{texts.toChangeAnythingHere}</span>
  </p>
)

export const Requirement = ({ policy }: { readonly policy: SignInPolicy }) => {
  const { has_own, may_change, members, required_from, with_second_step } = policy
  return (
    <section className="card" aria-labelledby="requirement">
      <h2 id="requirement">{texts.secondStep}</h2>
      <p>
        {required_from === null ? (
          texts.itIsOptional
        ) : (
          <>
            {instantOf(required_from).getTime() > Date.now() ? texts.itIsRequiredFrom : texts.itIsRequiredSince}
            <Time at={required_from} full />.
          </>
        )}{" "}
        {texts.peopleOneOfMembers(people(with_second_step), members.toLocaleString())}
      </p>
      {required_from === null && !has_own ? (
        <p className="note warn">
          {texts.youHaveNoneYourself(<Link to="/account/sign-in">{texts.setUpASecondStep}</Link>)}
        </p>
      ) : !may_change ? (
        <ConfirmFirst />
      ) : required_from === null ? (
        <Require policy={policy} />
      ) : (
        <Release />
      )}
    </section>
  )
}
