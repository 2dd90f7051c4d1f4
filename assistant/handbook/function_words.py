"""Words that every question is made of and that say nothing of what it is about; without case and accents."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: Final = _words(
    """
    a about after all also an and any are as at be been before but by can could did do does for from get gets give had
    has have he her him his how i if in into is it its long many may me much must my no not of on one or our out she
    should so some than that the their them then there they this to us was we were what when where which who whom why
    will with would you your please
    aber alle als am an auch auf aus bei bin bis bitte da damit dann das dass dem den der des die dies doch du ein eine
    einem einen einer er es fur hat habe haben hatte ich ihm ihn ihr im in ins ist ja kann konnen lange man mein mit
    muss nach nicht noch nun nur ob oder sein sich sie sind so soll um und uns unser von vor wann war warum was wegen
    wenn wer werden wie wieder wird wir wo wurde zu zum zur
    ai au aux avec avoir c ce ces cet cette combien comment d dans de des du elle en est et etre fait faut il ils j je l
    la le les leur lui ma mais me mes mon n ne nos notre nous on ou par pas peut plus pour pourquoi qu quand que quel
    quelle qui s sa sans se ses si son sont sur ta te tu un une vos votre vous y
    al como con cual cuando cuanto de del desde donde e el ella en entre es esta este esto ha hay la las le lo los mas
    me mi mis muy no nos o para pero por porque puede que quien se ser si sin sobre su sus tan te tiene tu un una uno y
    ya yo
    """
)
