import { isOfReconciler, testPages } from "./every-page.ts";

testPages(isOfReconciler);
