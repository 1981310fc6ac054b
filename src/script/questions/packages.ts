/** Packages: vetting and lists. */
import { unit, type Value } from "../../lf/running-code.js";
import type { PackageNameVersion } from "../ledger.js";
import { elementsOf, fieldsOf, list, optionalText, tuple } from "../values.js";
import { question, type Questions } from "./question.js";

export const packageQuestions: Questions = {
  VetPackages: question(async ([packages, participant], { ledger }) => {
    await ledger.vetPackages(packageNames(packages!), optionalText(participant!));
    return unit;
  }),
  UnvetPackages: question(async ([packages, participant], { ledger }) => {
    await ledger.unvetPackages(packageNames(packages!), optionalText(participant!));
    return unit;
  }),
  ListVettedPackages: question(async (_, { ledger }) => packageNameValues(await ledger.vettedPackages())),
  ListAllPackages: question(async (_, { ledger }) => packageNameValues(await ledger.allPackages())),
};

const packageNames = (packages: Value): readonly PackageNameVersion[] =>
  elementsOf(packages).map((each) => {
    const [name, version] = fieldsOf(each) as readonly string[];
    return { name: name!, version: version! };
  });

const packageNameValues = (packages: readonly PackageNameVersion[]): Value =>
  list(packages.map(({ name, version }) => tuple(name, version)));
