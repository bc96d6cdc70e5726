// SPDX-License-Identifier: Apache-2.0
// Chinese words of pornography, gambling and mass advertising. A compilation of our own. Han text
// has no blanks, so an entry is found wherever its characters stand together, across the borders of
// other words too; lines with ! name the harmless phrases in which that is usual. Words of news,
// law, medicine and education (赌博, 色情, 性) are not flagged: they are what texts about the thing
// say, not what the thing says.
#include "measure/words/built_in.h"

namespace headrace::measure {

const char* const kFlaggedWordsZh = R"(
# 色情
黄色小说
色情网站
色情小说
色情视频
成人网站
成人电影
成人小说
成人视频
成人影片
情色小说
三级片
a片
!a片区
无码视频
无码高清
有码视频
国产精品视频
国产自拍
偷拍自拍
自拍偷拍
在线av
av女优
av在线
日本av
裸聊
裸照
激情视频
激情小说
激情电影
约炮
!约炮响
一夜情
!一夜情况
!一夜情绪
援交
!支援交
包养
!面包养
!包养老
!包养育
!包养护
!包养成
!承包养
小姐上门
上门服务小姐
外围女
楼凤
!楼凤阁
桑拿会所
莞式服务
肛交
淫荡
淫乱
淫水
骚货
巨乳
爆乳
!爆乳酪
潮吹
颜射
# 赌博
网上赌场
在线赌场
真人赌场
赌博网站
博彩网站
博彩公司
博彩平台
网上博彩
在线博彩
真人荷官
真人娱乐
百家乐
!不如百家乐
!诸子百家乐
澳门赌场
澳门新葡京
葡京娱乐
太阳城娱乐
皇冠体育
皇冠投注
足球投注
体育投注
投注网站
时时彩
北京赛车
赛车pk10
六合彩
内幕资料
老虎机
棋牌游戏平台
彩票预测
开户送彩金
注册送彩金
送彩金
首存送
# 违法买卖
代开发票
办证刻章
代办证件
办假证
假文凭
包过包会
枪手代考
迷药
迷魂药
!迷魂药水
催情药
壮阳药
# 贷款和传销
无抵押贷款
信用卡套现
信用卡代还
网贷口子
黑户贷款
日赚千元
日入过千
月入过万
兼职刷单
刷单兼职
刷信誉
躺着赚钱
轻松赚钱
快速赚钱
网赚项目
网络兼职
诚招代理
招代理
加盟热线
招商加盟
# 广告
加微信
!添加微信
!增加微信
!加微信用
加v信
加qq群
点击购买
立即购买
立即抢购
限时抢购
全场包邮
免费领取
扫码领取
传奇私服
游戏外挂
网站优化公司
关键词排名
代写论文
论文代写
论文代发
代发论文
刷粉丝
买粉丝
减肥药
丰胸产品
祛斑产品
)";

}  // namespace headrace::measure
