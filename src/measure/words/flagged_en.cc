// SPDX-License-Identifier: Apache-2.0
// English words and phrases of pornography, gambling and mass advertising. A compilation of our
// own: what an advertisement of these trades says and prose, news or medicine seldom does. Mostly
// phrases, so that no single hit condemns a text; a bound belongs on the share.
#include "measure/words/built_in.h"

namespace headrace::measure {

const char* const kFlaggedWordsEn = R"(
# pornography
porn
porno
pornstar
pornhub
xvideos
xnxx
hardcore porn
free porn
porn videos
sex videos
sex tube
sex cams
sex chat
live sex
nude pics
nude photos
naked girls
hot girls
milf
milfs
blowjob
blowjobs
handjob
cumshot
cumshots
creampie
gangbang
deepthroat
hentai
upskirt
bukkake
dildo
dildos
camgirl
camgirls
webcam girls
adult dating
escort service
escort services
escort girls
call girls
# gambling
online casino
online casinos
casino bonus
casino games
casino online
no deposit bonus
free spins
slot machines online
online slots
slot gacor
slot online
judi online
agen judi
sports betting
betting site
betting sites
betting odds
online betting
online gambling
sportsbook
sportsbooks
togel
situs slot
# medicine without a doctor
buy viagra
viagra online
generic viagra
cheap viagra
buy cialis
cialis online
generic cialis
buy levitra
buy tramadol
buy xanax
buy ambien
no prescription needed
online pharmacy
canadian pharmacy
weight loss pills
penis enlargement
male enhancement
# mass advertising
payday loan
payday loans
replica watches
replica handbags
cheap jerseys
jerseys wholesale
louis vuitton outlet
michael kors outlet
ugg boots sale
cheap ray ban
make money fast
make money online
earn money online
work from home jobs
get rich quick
buy followers
buy instagram followers
buy backlinks
essay writing service
write my essay
custom essay
limited time offer
click here now
risk free trial
)";

}  // namespace headrace::measure
