// How the reader signs in: password, second steps, recovery codes (decisions O12, "The second step").
import { useQuery } from "@tanstack/react-query"
import { signInPage as texts } from "../../texts/account/signIn.ts"
import { Asked } from "../../ui/states.tsx"
import { AccountPage } from "./AccountPage.tsx"
import { Factors } from "./Factors.tsx"
import { factors } from "./factorQueries.ts"
import { PasswordForm } from "./PasswordForm.tsx"

const SecondSteps = () => (
  <Asked query={useQuery(factors)} failed={texts.loadingYourSecondStepsFailed}>
    {(state) => <Factors state={state} />}
  </Asked>
)

export const SignInPage = () => (
  <AccountPage at="/account/sign-in">
    <PasswordForm />
    <SecondSteps />
  </AccountPage>
)
