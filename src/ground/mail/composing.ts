// The program of the thread in which large mails are composed (decisions P8).
import { serve } from "../primitives/apartThread.ts"
import { composed } from "./composed.ts"

serve(composed)
